import { desc, gt, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { incidents, incidentUpdates, type STATUS_PARTS, statusDays } from "../schema/status.ts";
import { selected } from "../stored-select.ts";
import { moment } from "./caller.ts";

export type StatusPart = (typeof STATUS_PARTS)[number];

/** `late`: it works, but slower than it should. */
export type Condition = "works" | "late" | "fails";

/** Days that people see. */
export const HISTORY_DAYS = 90;

const today = sql`(now() at time zone 'UTC')::date`;
export const isShown = gt(statusDays.day, sql`${today} - ${HISTORY_DAYS}::int`);

interface Measurement {
  measured: { part: StatusPart; condition: Condition }[];
  /** Failures of the database that could not be written, in seconds by day. */
  unwritten: { day: string; seconds: number }[];
  /** Seconds between two measurements. */
  everyS: number;
}

/**
 * Adds a measurement to its day. It stands for the time since the one before it, so a second run adds seconds only. After a gap
 * of more than two intervals, and after unwritten failures, it stands for one interval, and the gap was not measured. Times
 * that a clock has taken back count for nothing.
 */
export const noteCondition = (db: Database, { measured, unwritten, everyS }: Measurement) =>
  db.write((on) => {
    const most = unwritten.length ? 0 : 2 * everyS;
    const passed = on.$with("passed", { seconds: sql<number>`seconds` }).as(
      sql`select case when age <= ${most}::int then age else ${everyS}::int end as seconds from (
        select greatest(0, coalesce(extract(epoch from now() - max(${statusDays.measuredAt}))::int, ${everyS}::int + ${most}::int)) as age
        from ${statusDays} where ${statusDays.measuredAt} < now() + make_interval(secs => ${everyS})) last`,
    );
    const noted = on
      .$with("noted", {
        day: sql`day`,
        part: sql`part`,
        works: sql`works`,
        late: sql`late`,
        fails: sql`fails`,
      })
      .as(
        sql`select day, part, sum(works) as works, sum(late) as late, sum(fails) as fails from (
          select ${today} as day, part, seconds * (condition = 'works')::int as works,
            seconds * (condition = 'late')::int as late, seconds * (condition = 'fails')::int as fails
          from json_to_recordset(${JSON.stringify(measured)}) as m(part text, condition text), passed
          union all
          select day, 'database', 0, 0, seconds from json_to_recordset(${JSON.stringify(unwritten)}) as u(day date, seconds int)
        ) each group by day, part`,
      );
    const added = (column: "works_s" | "late_s" | "fails_s") =>
      sql.raw(`status_days.${column} + excluded.${column}`);
    return on
      .with(passed, noted)
      .insert(statusDays)
      .select(sql`select part, day, works, late, fails, now() from noted` as never)
      .onConflictDoUpdate({
        target: [statusDays.part, statusDays.day],
        set: {
          worksS: added("works_s"),
          lateS: added("late_s"),
          failsS: added("fails_s"),
          measuredAt: sql`now()`,
        },
        // Two runs at once see the same last measurement. The later one finds a newer row than its own snapshot has.
        setWhere: unwritten.length ? undefined : isUnchanged,
      });
  });

const isUnchanged = sql`status_days.measured_at = (
  select s.measured_at from ${statusDays} s where s.part = excluded.part and s.day = excluded.day)`;

// The builder leaves out the names of tables here.
const updates = sql<{ at: string; text: string }[]>`(
  select coalesce(json_agg(json_build_object('at', id_created_at(u.id), 'text', u.body) order by u.id desc), '[]')
  from ${incidentUpdates} u where u.incident_id = incidents.id)`;

export const incidentState = sql<
  "planned" | "open" | "over"
>`case when ${incidents.endsAt} <= now() then 'over'
  when ${incidents.beginsAt} > now() then 'planned' else 'open' end`;

export const incidentColumns = {
  id: incidents.id,
  kind: incidents.kind,
  state: incidentState,
  title: incidents.title,
  parts: incidents.parts,
  begins_at: moment<string>(incidents.beginsAt),
  ends_at: moment<string | null>(incidents.endsAt),
  updates,
};

/** Reads the last days, and what operators announced in them, the newest first. */
export async function readStatusHistory(db: Database) {
  const on = db.drizzle;
  const days = on
    .select({
      part: statusDays.part,
      day: statusDays.day,
      works_s: statusDays.worksS,
      late_s: statusDays.lateS,
      fails_s: statusDays.failsS,
    })
    .from(statusDays)
    .where(isShown);
  const announced = on
    .select(incidentColumns)
    .from(incidents)
    // One that began long before and ended a moment ago must not vanish with its last words.
    .where(
      sql`greatest(${incidents.beginsAt}, coalesce(${incidents.endsAt}, 'infinity')) > now() - make_interval(days => ${HISTORY_DAYS})`,
    )
    .orderBy(desc(incidents.beginsAt), desc(incidents.id));
  const [measured, all] = await db.readAll([selected(days), selected(announced)]);
  return { days: measured, incidents: all };
}

export type StatusHistory = Awaited<ReturnType<typeof readStatusHistory>>;
export type Incident = StatusHistory["incidents"][number];

import { and, desc, eq, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { incidents, incidentUpdates } from "../schema/status.ts";
import { type By, below, mayAct, mayRead, noted, type Operator, type Page } from "./acts.ts";
import { onlyRow } from "./caller.ts";
import { type Incident, incidentColumns, incidentState, type StatusPart } from "./status-history.ts";

interface NewIncident {
  kind: Incident["kind"];
  title: string;
  text: string;
  parts: StatusPart[];
  /** Default: now. */
  beginsAt: string | null;
  /** The planned end of maintenance. */
  endsAt: string | null;
}

/** An insert has no `where`, so the end checks who acts. */
export const openIncident = (
  db: Database,
  by: By,
  { kind, title, text, parts, beginsAt, endsAt }: NewIncident,
) =>
  db
    .write((on) => {
      const opened = on.$with("opened").as(
        on
          .insert(incidents)
          .values({
            kind,
            title,
            parts,
            beginsAt: sql`coalesce(${beginsAt}::timestamptz, now())`,
            endsAt: sql`${endsAt}::timestamptz`,
          })
          .returning({ id: incidents.id }),
      );
      const written = on
        .$with("written")
        .as(
          on
            .insert(incidentUpdates)
            .select(sql`select next_id(), opened.id, ${text} from opened`)
            .returning({ id: incidentUpdates.id }),
        );
      return on
        .with(opened, written)
        .select({
          id: opened.id,
          noted: noted(by, `${kind}.open`, { kind: "incident", id: opened.id, name: title }),
        })
        .from(opened)
        .where(mayAct(by));
    })
    .then((rows) => onlyRow(rows).id);

/** Adds a text to an incident, which may be over. `close` ends it now. */
export async function updateIncident(
  db: Database,
  by: By,
  { id, text, close }: { id: number; text: string; close: boolean },
): Promise<"done" | "closed" | "unknown"> {
  const [found] = await db.write((on) => {
    const isOver = sql`${incidentState} = 'over'`;
    const meant = on.$with("meant").as(
      on
        .select({
          id: incidents.id,
          title: incidents.title,
          refused: sql<boolean>`${close} and ${isOver}`.as("refused"),
        })
        .from(incidents)
        .where(and(mayAct(by), eq(incidents.id, id)))
        .for("update"),
    );
    const ended = on.$with("ended").as(
      on
        .update(incidents)
        .set({ endsAt: sql`now()` })
        .where(and(eq(incidents.id, id), sql`${close} and exists (select from meant where not refused)`))
        .returning({ id: incidents.id }),
    );
    const written = on
      .$with("written")
      .as(
        on
          .insert(incidentUpdates)
          .select(sql`select next_id(), meant.id, ${text} from meant where not refused`)
          .returning({ id: incidentUpdates.id }),
      );
    const target = { kind: "incident", id: meant.id, name: meant.title };
    const log = noted(by, close ? "incident.close" : "incident.update", target);
    return on
      .with(meant, ended, written)
      .select({ refused: meant.refused, noted: sql`case when not ${meant.refused} then ${log} end` })
      .from(meant);
  });
  if (!found) return "unknown";
  return found.refused ? "closed" : "done";
}

/** The newest first. */
export const listIncidents = (db: Database, operator: Operator, { before, limit }: Page) =>
  db.read((on) =>
    on
      .select(incidentColumns)
      .from(incidents)
      .where(and(mayRead(operator), below(incidents.id, before)))
      .orderBy(desc(incidents.id))
      .limit(limit),
  );

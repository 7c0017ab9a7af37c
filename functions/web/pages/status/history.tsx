import type { Incident, StatusHistory, StatusPart } from "../../../../db/queries/status-history.ts";
import { STATUS_PARTS } from "../../../../db/schema/status.ts";
import { day, moment } from "../../../ui/words.ts";
import { daysOf, type StatusDay, worked } from "./days.ts";

export const PART_NAMES: Record<StatusPart, string> = {
  database: "Site, API and sign-in",
  storage: "Listening and uploading",
  encoding: "Encoding of new tracks",
  webhooks: "Webhooks",
  posts: "Posts to connected services",
  mails: "Mails",
};

export function spell(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 120) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `${Math.round(minutes / 60)} hours`;
}

/** The measured days of each part. */
export const History = ({ of }: { of: StatusHistory }) => {
  const nowMs = Date.now();
  const parts = STATUS_PARTS.map((part) => ({ part, days: daysOf(part, of.days, nowMs) }));
  const troubles = (parts[0]?.days ?? [])
    .map(({ day: date }, at) => ({
      date,
      said: parts.flatMap(({ part, days }) => troublesOf(part, days[at])),
    }))
    .filter(({ said }) => said.length > 0)
    .reverse();
  return (
    <section class="card status-page">
      <h2>The last 90 days</h2>
      <p class="hint">
        Measured by the service itself. A bar is a day in UTC, today at the right. Its height is the part of
        the day that was measured, and a dash means that nothing was. The share is that of the measured time.
      </p>
      <ul>
        {parts.map(({ part, days }) => (
          <li>
            <span>{PART_NAMES[part]}</span>
            <span>{worked(days) ?? "No measurement"}</span>
            <Strip days={days} name={PART_NAMES[part]} />
          </li>
        ))}
      </ul>
      <Legend />
      <h3>Days with trouble</h3>
      {troubles.length === 0 ? (
        <p>None was measured.</p>
      ) : (
        <>
          <Troubles of={troubles.slice(0, SHOWN)} />
          {troubles.length > SHOWN && (
            <details>
              <summary>{`${troubles.length - SHOWN} more`}</summary>
              <Troubles of={troubles.slice(SHOWN)} />
            </details>
          )}
        </>
      )}
    </section>
  );
};

/** Days with trouble that stand there unfolded. */
const SHOWN = 10;

const Troubles = ({ of }: { of: { date: string; said: string[] }[] }) => (
  <ul class="status-troubles">
    {of.map(({ date, said }) => (
      <li>
        <time datetime={date}>{day(date)}</time>
        <p>{said.join("; ")}</p>
      </li>
    ))}
  </ul>
);

function troublesOf(part: StatusPart, of: StatusDay | undefined): string[] {
  if (!of) return [];
  return [
    ...(of.fails ? [`${PART_NAMES[part]}: did not work for ${spell(of.fails)}`] : []),
    ...(of.late ? [`${PART_NAMES[part]}: late for ${spell(of.late)}`] : []),
  ];
}

const HEIGHT = 32;
/** Beginnings and ends of a bar's pieces, so that conditions differ without their colours, too. */
const PIECES = { works: [0, 1], late: [0, 0.4, 0.55, 1], fails: [0, 0.25, 0.37, 0.63, 0.75, 1] };

const rectangles = (x: number, height: number, cuts: readonly number[]): string =>
  cuts
    .flatMap((from, at) => (at % 2 ? [] : [[from, cuts[at + 1] ?? 1] as const]))
    .map(([from, to]) => {
      const [bottom, top] = [HEIGHT - from * height, HEIGHT - to * height];
      return `M${x} ${round(top)}h3V${round(bottom)}h-3z`;
    })
    .join("");

const round = (value: number) => Math.round(value * 10) / 10;

const CONDITIONS = ["works", "late", "fails", "unmeasured"] as const;

const barOf = ({ condition, share }: Pick<StatusDay, "condition" | "share">, x: number): string =>
  condition === "unmeasured"
    ? `M${x} ${HEIGHT - 3}h3v3h-3z`
    : rectangles(x, Math.max(10, HEIGHT * share), PIECES[condition]);

/** One path a condition, because a page has five hundred bars. */
const Strip = ({ days, name }: { days: readonly StatusDay[]; name: string }) => {
  const number = (condition: StatusDay["condition"]) =>
    days.filter((each) => each.condition === condition).length;
  const label = `${name}, ${days.length} days: ${number("works")} without trouble, ${number("late")} with delays, ${number("fails")} with failures, ${number("unmeasured")} without measurement`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${days.length * 4 - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      {CONDITIONS.map((condition) => (
        <path
          data-condition={condition}
          d={days.map((each, at) => (each.condition === condition ? barOf(each, at * 4) : "")).join("")}
        />
      ))}
    </svg>
  );
};

const LEGEND = { works: "no trouble", late: "late", fails: "did not work", unmeasured: "no measurement" };

const Legend = () => (
  <p class="status-legend">
    {CONDITIONS.map((condition) => (
      <span>
        <svg aria-hidden="true" viewBox={`0 0 3 ${HEIGHT}`} preserveAspectRatio="none">
          <path data-condition={condition} d={barOf({ condition, share: 1 }, 0)} />
        </svg>
        {LEGEND[condition]}
      </span>
    ))}
  </p>
);

const STATES = {
  planned: "Planned",
  open: { incident: "Not resolved yet", maintenance: "Under way" },
  over: { incident: "Resolved", maintenance: "Over" },
} as const;

/** Whether it was closed before its time came. */
const wasCalledOff = ({ begins_at, ends_at }: Incident): boolean =>
  ends_at !== null && Date.parse(ends_at) < Date.parse(begins_at);

export function stateOf(incident: Incident): string {
  const { state, kind } = incident;
  if (state === "planned") return STATES.planned;
  return wasCalledOff(incident) ? "Called off" : STATES[state][kind];
}

/** When it began and ends or ended. */
export function timesOf(incident: Incident): string {
  const { begins_at, ends_at } = incident;
  if (wasCalledOff(incident)) return `planned for ${moment(begins_at)}`;
  return ends_at ? `${moment(begins_at)} to ${moment(ends_at)}` : `Since ${moment(begins_at)}`;
}

/** Operators' announcements. `title` stands above them. */
export const Incidents = ({ title, of }: { title: string; of: readonly Incident[] }) => (
  <section class="card status-page">
    <h2>{title}</h2>
    {of.length === 0 && <p>None.</p>}
    {of.map((incident) => (
      <article id={`incident-${incident.id}`}>
        <h3>{incident.title}</h3>
        <p>
          <strong>{stateOf(incident)}</strong>: {timesOf(incident)}
        </p>
        {incident.parts.length > 0 && (
          <p class="hint">{incident.parts.map((part) => PART_NAMES[part]).join(", ")}</p>
        )}
        {incident.updates.map(({ at, text }) => (
          <div class="status-update">
            <p class="hint">{moment(at)}</p>
            <p class="status-text">{text}</p>
          </div>
        ))}
      </article>
    ))}
  </section>
);

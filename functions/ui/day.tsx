import { day } from "./words.ts";

interface DayProps {
  at: string;
  /** Says “today” and “yesterday”. */
  near?: boolean;
}

/** A day in UTC, until `days.ts` replaces it by the day in the reader's time zone. */
export const Day = ({ at, near = false }: DayProps) => {
  const instant = new Date(at).toISOString();
  return (
    <time datetime={instant} data-day={near ? "near" : true}>
      {(near && nearDay(instant)) || day(instant)}
    </time>
  );
};

const DAY_MS = 86_400_000;

function nearDay(instant: string): string | undefined {
  const daysAgo = Math.floor(Date.now() / DAY_MS) - Math.floor(Date.parse(instant) / DAY_MS);
  return ["today", "yesterday"][daysAgo];
}

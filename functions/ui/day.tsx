import { day } from "./words.ts";

/** A day in UTC, until `days.ts` replaces it by the day in the reader's time zone. */
export const Day = ({ at }: { at: string }) => {
  const instant = new Date(at).toISOString();
  return (
    <time datetime={instant} data-day>
      {day(instant)}
    </time>
  );
};

import { day } from "./words.ts";

/** A day: in UTC, until `days.js` shows that of the reader's time zone. */
export const Day = ({ at }: { at: string }) => {
  const instant = new Date(at).toISOString();
  return (
    <time datetime={instant} data-day>
      {day(instant)}
    </time>
  );
};

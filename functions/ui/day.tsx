import type { Env } from "../lib/http/env.ts";
import { assetUrl } from "./assets.ts";
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

/** The only script of pages of accounts. */
export const DayScript = ({ env }: { env: Env }) => (
  <script type="module" src={assetUrl(env, "days.client.js")} />
);

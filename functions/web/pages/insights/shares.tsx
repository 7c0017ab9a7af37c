import type { Child } from "hono/jsx";
import type { InsightShare } from "../../../api/insights/representation.ts";
import { countries } from "../../../lib/text/countries.ts";
import { number } from "../../../ui/words.ts";

interface SharesProps {
  title: string;
  /** The heading of the values. */
  of: string;
  shares: readonly InsightShare[];
  /** All plays, of which each share is a part. */
  whole: number;
  nameOf: (share: InsightShare) => Child;
  hint?: string;
}

/** A breakdown as a table with bars. */
export const Shares = ({ title, of, shares, whole, nameOf, hint }: SharesProps) =>
  shares.length > 0 && (
    <section class="shares">
      <h2>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      <table>
        <thead class="sr-only">
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">Plays</th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <tr>
              <th scope="row">
                {nameOf(share)}
                <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={percentOf(share.plays, whole)} height="1" />
                </svg>
              </th>
              <td>{number(share.plays)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

const percentOf = (plays: number, whole: number) =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((plays / whole) * 1000) / 10)) : 0;

const OTHERS = "Others and unknown";

export const countryName = ({ value }: InsightShare): string =>
  value === null ? OTHERS : (countries().find(([code]) => code === value)?.[1] ?? value);

/** Names for plays that came through no registered app. */
const OWN_APPS: Record<string, string> = {
  site: "This site",
  embed: "Embedded player",
  feed: "Feeds and podcast apps",
};

export const appName = ({ value, name }: InsightShare): string =>
  value === null ? "Unknown" : (OWN_APPS[value] ?? name ?? "An app that is gone");

export const referrerName = ({ value }: InsightShare): string =>
  value ?? "This site, and apps that name no page";

export const progressName = ({ value }: InsightShare): string =>
  value === "100" ? "To the end" : `Past ${value}%`;

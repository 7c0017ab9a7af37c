import type { Insights } from "../../../api/insights/representation.ts";
import { Apart } from "../../../ui/apart.tsx";
import { day, number } from "../../../ui/words.ts";
import { OwnHead } from "../own/list.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { type Asked, MEASURES, type Place, pathOf, RANGES } from "./asked.ts";
import { Chart } from "./chart.tsx";
import { appName, countryName, progressName, referrerName, Shares } from "./shares.tsx";

interface InsightsPageProps {
  insights: Insights;
  place: Place;
  asked: Asked;
}

export const InsightsPage = ({ insights, place, asked }: InsightsPageProps) => {
  const { all_time, before, title, permalink_url } = insights;
  const isEmpty = [all_time, before].every((counts) => Object.values(counts).every((count) => count === 0));
  return (
    <div class="own insights">
      {place.isWhole ? (
        <OwnHead title="Insights" here="/you/insights" />
      ) : (
        <header class="own-head">
          <div>
            <h1>Insights</h1>
            <p>
              <a href={permalink_url ?? "/you/tracks"}>{title}</a>
            </p>
          </div>
          <a class="button quiet" href={pathOf({ ...place, site: "/you/insights" }, asked)}>
            All your tracks
          </a>
        </header>
      )}
      {isEmpty ? (
        <Nothing
          step={
            place.isWhole
              ? ["/upload", "Upload a track"]
              : [permalink_url ?? "/you/tracks", "Open its page to share it"]
          }
        >
          Nothing has been counted yet. Plays, likes and downloads appear here within minutes.
        </Nothing>
      ) : (
        <Figures insights={insights} place={place} asked={asked} />
      )}
    </div>
  );
};

const Figures = ({ insights, place, asked }: InsightsPageProps) => {
  const { totals, by, interval, before } = insights;
  const measures = MEASURES.filter(([name]) => place.isWhole || name !== "followers");
  const shown = measures.find(([name]) => name === asked.show) ?? MEASURES[0];
  const points = pointsOf(insights, shown[0]);
  return (
    <>
      <nav class="insights-range" aria-label="Range">
        <Apart>
          {RANGES.map(({ name, label }) => (
            <a
              href={pathOf(place, { ...asked, range: name })}
              aria-current={name === asked.range ? "true" : undefined}
            >
              {label}
            </a>
          ))}
        </Apart>
      </nav>
      <nav class="measures" aria-label="Figures">
        <Apart>
          {measures.map(([name, label]) => (
            <a
              href={pathOf(place, { ...asked, show: name })}
              aria-current={name === shown[0] ? "true" : undefined}
            >
              <span>{label}</span> <strong>{number(totals[name] ?? 0)}</strong>
            </a>
          ))}
        </Apart>
      </nav>
      {points.some(({ value }) => value !== 0) ? (
        <Chart measure={shown[1]} period={interval === "month" ? "Month" : "Day"} points={points} />
      ) : (
        <p class="chart-nothing">{nothingOf(shown, totals, points)}</p>
      )}
      <p class="hint">
        Likes, reposts and followers that were taken back are subtracted. Listeners are an estimate.
        {before.plays > 0 &&
          ` ${number(before.plays)} plays were counted before this service kept times, so no chart shows them.`}{" "}
        <a href={`${place.site}/csv?range=${asked.range}`} data-turbo="false">
          Download as CSV
        </a>
      </p>
      <div class="shares-grid">
        <Shares
          title="Tracks"
          of="Track"
          shares={by.track ?? []}
          whole={by.track?.[0]?.plays ?? 0}
          nameOf={({ value, name }) => <a href={`/you/insights/tracks/${value}`}>{name}</a>}
        />
        <Shares
          title="Countries"
          of="Country"
          shares={by.country ?? []}
          whole={totals.plays}
          nameOf={countryName}
          hint="A country is named once five people have listened there."
        />
        <Shares
          title="Where plays come from"
          of="Page"
          shares={by.referrer ?? []}
          whole={totals.plays}
          nameOf={referrerName}
        />
        <Shares title="Played in" of="App" shares={by.app ?? []} whole={totals.plays} nameOf={appName} />
        {by.progress?.some(({ plays }) => plays > 0) && (
          <Shares
            title="How far people listen"
            of="Part of the track"
            shares={by.progress}
            whole={totals.plays}
            nameOf={progressName}
            hint="Plays in this site's players, and in apps that report it."
          />
        )}
      </div>
    </>
  );
};

/** Text in place of a chart without bars. */
function nothingOf(
  [name, label]: (typeof MEASURES)[number],
  { plays }: Insights["totals"],
  points: readonly { label: string }[],
): string {
  if (name === "listeners" && plays > 0) return "Listeners are counted some minutes after their plays.";
  return `No ${label.toLowerCase()} from ${points[0]?.label} to ${points.at(-1)?.label}.`;
}

/** Months to show at least. Earlier ones are left out up to the first count. */
const MONTHS_SHOWN = 12;

let monthFormat: Intl.DateTimeFormat | undefined;

function month(instant: string): string {
  monthFormat ??= new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
  return monthFormat.format(new Date(instant));
}

function pointsOf({ periods, interval }: Insights, measure: Asked["show"]) {
  const first = periods.findIndex(({ start: _, ...counts }) => Object.values(counts).some((count) => count));
  const from =
    interval === "month"
      ? Math.max(0, Math.min(first < 0 ? Infinity : first, periods.length - MONTHS_SHOWN))
      : 0;
  return periods.slice(from).map((period) => ({
    label: interval === "month" ? month(period.start) : day(period.start),
    value: period[measure] ?? 0,
  }));
}

import type { Context } from "hono";
import { insightsCsv } from "../../../api/insights/csv.ts";
import type { Insights } from "../../../api/insights/representation.ts";
import type { AppEnv } from "../../../lib/http/env.ts";
import { attachment } from "../../../lib/http/files/disposition.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readApi } from "../../../ui/own-api.ts";
import { showSite, showSiteError } from "../../../ui/site-page.tsx";
import { askedOf, type Place, queryOf } from "./asked.ts";
import { InsightsPage } from "./page.tsx";

/** {web_url}/you/insights: plays and other figures of all the reader's tracks, of one of them, or of a set. */
export const insightPages = new Routes({ renderError: showSiteError });

const ALL: Place = { api: "/me/insights", site: "/you/insights", isWhole: true };

const trackPlace = (id: string): Place => ({
  api: `/tracks/${id}/insights`,
  site: `/you/insights/tracks/${id}`,
  isWhole: false,
});
const setPlace = (id: string): Place => ({
  api: `/playlists/${id}/insights`,
  site: `/you/insights/sets/${id}`,
  isWhole: false,
});

insightPages.page("/you/insights", (c) => showInsights(c, ALL));
insightPages.page("/you/insights/csv", (c) => sendCsv(c, ALL));
insightPages.page("/you/insights/tracks/:id", (c) => showInsights(c, trackPlace(c.req.param("id"))));
insightPages.page("/you/insights/tracks/:id/csv", (c) => sendCsv(c, trackPlace(c.req.param("id"))));
insightPages.page("/you/insights/sets/:id", (c) => showInsights(c, setPlace(c.req.param("id"))));
insightPages.page("/you/insights/sets/:id/csv", (c) => sendCsv(c, setPlace(c.req.param("id"))));

async function showInsights(c: Context<AppEnv>, place: Place): Promise<Response> {
  const asked = askedOf(c);
  const by = [
    "country",
    "app",
    "referrer",
    "progress",
    ...(place.api.startsWith("/tracks/") ? [] : ["track"]),
  ];
  const insights = await readApi<Insights>(c, `${place.api}?${queryOf(asked.range)}&by=${by}`);
  const title = insights.title === null ? "Insights" : `Insights: ${insights.title}`;
  return showSite(
    c,
    { title, styles: ["own.css", "insights.css"] },
    <InsightsPage insights={insights} place={place} asked={asked} />,
  );
}

async function sendCsv(c: Context<AppEnv>, place: Place): Promise<Response> {
  const { range } = askedOf(c);
  const insights = await readApi<Insights>(c, `${place.api}?${queryOf(range)}`);
  return c.body(insightsCsv(insights, []), 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": attachment(`insights-${insights.from}-${insights.to}.csv`),
    "Cache-Control": "private, no-store",
  });
}

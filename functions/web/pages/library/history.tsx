import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { listPath, type TrackPage } from "../discovery/lists.ts";
import { TrackRows } from "../discovery/track-rows.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { More, withCursor } from "../rows/paging.tsx";

/** Shows the tracks that the reader played most recently. */
export async function showHistory(c: Context<AppEnv>): Promise<Response> {
  const path = withCursor(listPath("/me/recently-played/tracks"), c.req.url);
  const { collection, next_href } = await readApi<TrackPage>(c, path);
  const reader = readerOf(c);
  return showSite(
    c,
    { title: "History", reader },
    <>
      <header class="page-head">
        <h1>History</h1>
        <p class="hint">The last hundred tracks that you played. Only you see them.</p>
      </header>
      <section class="card listing" aria-label="History">
        {collection.length ? (
          <TrackRows env={c.env} reader={reader} label="Recently played" tracks={collection} />
        ) : (
          <Nothing step={["/discover", "Find something to play"]}>
            Nothing yet. What you play appears here.
          </Nothing>
        )}
        <More reader={reader} next={next_href} />
      </section>
    </>,
  );
}

import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { readerOf } from "../../../ui/bar.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { More, withCursor } from "../rows/paging.tsx";
import { entryOf, listPath, type TrackPage } from "./lists.ts";
import { TrackRows } from "./track-rows.tsx";

/** Shows the newest tracks with a tag. */
export async function showTag(c: Context<AppEnv>): Promise<Response> {
  const { tag = "" } = c.req.param();
  const path = withCursor(listPath("/tracks", { tags: entryOf(tag) }), c.req.url);
  const { collection, next_href } = await readApi<TrackPage>(c, path);
  const reader = readerOf(c);
  return showSite(
    c,
    { title: `#${tag}`, reader },
    <>
      <header class="page-head">
        <h1>#{tag}</h1>
        <a href="/discover">Discover</a>
      </header>
      <section class="card listing">
        {collection.length > 0 ? (
          <TrackRows env={c.env} reader={reader} label={`Tracks tagged ${tag}`} tracks={collection} />
        ) : (
          <Nothing step={["/discover", "Discover tracks"]}>No public track has this tag.</Nothing>
        )}
        <More reader={reader} next={next_href} />
      </section>
    </>,
  );
}

import type { Context } from "hono";
import type { Feed } from "../../../api/feed/representation.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { readApi } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { More, withCursor } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { SetRow } from "../rows/set-row.tsx";
import { TrackRow } from "../rows/track-row.tsx";

/** Shows the posts and reposts of the people whom the reader follows. */
export async function showFeed(c: Context<AppEnv>): Promise<Response> {
  const feed = await readApi<Feed>(c, withCursor("/me/feed?limit=30", c.req.url));
  const reader = readerOf(c);
  return showSite(
    c,
    { title: "Your feed", reader },
    <section class="card listing">
      <h1>Your feed</h1>
      {feed.collection.length === 0 ? <Empty /> : <Posts env={c.env} reader={reader} feed={feed} />}
      <More reader={reader} next={feed.next_href} />
    </section>,
  );
}

const Empty = () => (
  <div class="empty">
    <p>Nothing is here yet. The tracks and reposts of everybody you follow appear on this page.</p>
    <p class="actions">
      <Apart>
        <a class="button" href="/discover">
          Discover tracks
        </a>
        <a class="button quiet" href="/search?type=people">
          Find people
        </a>
      </Apart>
    </p>
  </div>
);

const Posts = ({ env, reader, feed }: { env: Env; reader: Reader; feed: Feed }) => (
  <Rows label="Posts and reposts">
    {feed.collection.map((post) =>
      post.origin.kind === "track" ? (
        <TrackRow env={env} reader={reader} track={post.origin} note={<Note post={post} />} />
      ) : (
        <SetRow reader={reader} set={post.origin} note={<Note post={post} />} />
      ),
    )}
  </Rows>
);

const Note = ({ post: { created_at, reposter_user, origin } }: { post: Feed["collection"][number] }) => {
  const { permalink_url, username } = reposter_user ?? origin.user;
  return (
    <>
      <a href={permalink_url}>{username}</a> {reposter_user ? "reposted" : "posted"} · <Day at={created_at} />
    </>
  );
};

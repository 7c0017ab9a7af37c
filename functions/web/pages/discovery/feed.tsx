import type { Context } from "hono";
import { readHome } from "../../../../db/queries/home.ts";
import { ALL_POSTS, feedOf, feedScope } from "../../../api/feed/page.ts";
import type { Feed } from "../../../api/feed/representation.ts";
import { artistLine } from "../../../api/tracks/artists.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { representUser, type User } from "../../../api/users/representation.ts";
import { countryOf } from "../../../lib/http/country.ts";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { readTimeline, TimelinePaging } from "../../../lib/http/timeline.ts";
import { validate } from "../../../lib/http/validate.ts";
import { Apart } from "../../../ui/apart.tsx";
import { type Reader, readerOf } from "../../../ui/bar.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { asReader } from "../../../ui/own-api.ts";
import { showSite } from "../../../ui/site-page.tsx";
import { FollowButton } from "../acts/follow-button.tsx";
import { More } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { TrackRow } from "../rows/track-row.tsx";
import { UserRow } from "../rows/user-row.tsx";
import { Post } from "./post.tsx";

/** Entries of a page, people to follow, and tracks heard last. */
const POSTS = "30";
const PEOPLE = 4;
const RECENT = 5;

/** Shows the posts and reposts of the people whom the reader follows. Beside them, whom to follow and what was heard last. */
export async function showFeed(c: Context<AppEnv>): Promise<Response> {
  const { env } = c;
  const cursor = c.req.query("cursor");
  const paging = validate(TimelinePaging, { limit: POSTS, ...(cursor !== undefined && { cursor }) });
  const found = await asReader(c, async (viewer) => {
    const kinds = { kinds: ALL_POSTS, access: undefined };
    const scope = feedScope(env, viewer, kinds);
    const page = readTimeline(scope, paging);
    const asked = { ...kinds, page, country: countryOf(c.req), people: PEOPLE, recent: RECENT };
    const { feed, people, recent } = await readHome(c.var.db, viewer, asked);
    return { feed: feedOf(env, scope, feed, c.req.url), people, recent };
  });
  const reader = readerOf(c);
  const [feed, people] = [found.feed, found.people.map((row) => representUser(row, env))];
  const recent = found.recent.map((row) => representTrack(env, row));
  return showSite(
    c,
    { title: "Your feed", reader, styles: ["home.css"] },
    <div class="with-side">
      <section class="feed" data-queue>
        <header class="page-head">
          <h1>Your feed</h1>
          <PlayAll posts={feed.collection} />
        </header>
        {feed.collection.length === 0 ? <Empty /> : <Posts env={env} reader={reader} feed={feed} />}
        <More reader={reader} next={feed.next_href} />
      </section>
      <aside class="side" aria-label="Beside your feed">
        <People env={env} reader={reader} people={people} />
        <Recent env={env} reader={reader} tracks={recent} />
      </aside>
    </div>,
  );
}

/** Plays the list from its first track on. */
const PlayAll = ({ posts }: { posts: Feed["collection"] }) => {
  const first = posts.map(({ origin }) => origin).find(isPlayable);
  return first ? (
    <a
      class="button"
      href={first.permalink_url}
      data-play={String(first.id)}
      data-title={first.title}
      data-artist={artistLine(first)}
    >
      <Icon name="play" />
      <Icon name="pause" />
      Play
    </a>
  ) : null;
};

const isPlayable = (origin: Feed["collection"][number]["origin"]): origin is Track =>
  origin.kind === "track" && origin.access !== "blocked" && origin.state !== "failed";

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

interface PostsProps {
  env: Env;
  reader: Reader;
  feed: Feed;
}

const Posts = ({ env, reader, feed }: PostsProps) => (
  <ul class="posts" aria-label="Posts and reposts">
    {feed.collection.map((post) => (
      <Post env={env} reader={reader} post={post} />
    ))}
  </ul>
);

interface PeopleProps {
  env: Env;
  reader: Reader;
  people: User[];
}

const People = ({ env, reader, people }: PeopleProps) =>
  people.length === 0 ? null : (
    <section class="people">
      <h2>People to follow</h2>
      <Rows label="People to follow">
        {people.map((user) => (
          <UserRow
            user={user}
            acts={<FollowButton env={env} reader={reader} user={user} follows={false} />}
          />
        ))}
      </Rows>
    </section>
  );

interface RecentProps {
  env: Env;
  reader: Reader;
  tracks: Track[];
}

const Recent = ({ env, reader, tracks }: RecentProps) =>
  tracks.length === 0 ? null : (
    <section>
      <header class="page-head">
        <h2>Recently played</h2>
        <a href="/you/history">History</a>
      </header>
      <Rows label="Recently played">
        {tracks.map((track) => (
          <TrackRow env={env} reader={reader} track={track} />
        ))}
      </Rows>
    </section>
  );

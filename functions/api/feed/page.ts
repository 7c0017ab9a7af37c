import type { PostKind, toFeed } from "../../../db/queries/feed.ts";
import type { Access } from "../../../db/queries/track-rows.ts";
import type { Env, SignedInViewer } from "../../lib/http/env.ts";
import { type CursorScope, filteredList } from "../../lib/http/paging.ts";
import { timelinePage } from "../../lib/http/timeline.ts";

import { representPost } from "./representation.ts";

/** Pages of the home feed, for the API and the site. */

export const POSTS_OF_TRACKS: PostKind[] = ["track", "track-repost"];
export const ALL_POSTS: PostKind[] = [...POSTS_OF_TRACKS, "playlist", "playlist-repost"];

interface FeedFilter {
  kinds: PostKind[];
  access: Access[] | undefined;
}

type FeedScope = CursorScope & { userId: number };

export const feedScope = (
  { SIGNING_KEYS }: Env,
  { userId }: Pick<SignedInViewer, "userId">,
  { kinds, access }: FeedFilter,
): FeedScope => ({ SIGNING_KEYS, list: filteredList("feed", { kinds, access }), userId });

/** Represents a page that was read. `url` is the request's. */
export const feedOf = (env: Env, scope: FeedScope, found: ReturnType<typeof toFeed>, url: string) =>
  timelinePage(
    scope,
    found.rows.map((post) => representPost(env, post, scope.userId)),
    found,
    url,
    env,
  );

import type { SiteComment } from "../../../../db/queries/site-pages.ts";
import { type MiniUser, representMiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { textOf } from "../../../lib/text/plain-text.ts";

/** Comments at their moments. */
export interface TimedComments {
  /** Read by `waveform-moments.ts`. */
  comments: {
    id: number;
    /** Milliseconds. */
    at: number;
    by: string;
    /** The author's id and page. */
    user: number;
    person: string;
    text: string;
  }[];
  /** Their authors, each once. */
  authors: MiniUser[];
}

export const timedComments = (env: Env, comments: SiteComment[]): TimedComments => ({
  comments: comments.map(({ id, timestamp, user, body }) => ({
    id,
    at: timestamp,
    by: user.username,
    user: user.id,
    person: `/${user.permalink}`,
    text: textOf(body),
  })),
  authors: [...new Map(comments.map(({ user }) => [user.id, representMiniUser(user, env)])).values()],
});

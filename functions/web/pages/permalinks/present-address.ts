import type { Context } from "hono";
import type { AppEnv } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";

/** Permalinks that a path names, or that its subject has. `undefined` for a user's own pages. */
export interface NamedPath {
  user: string;
  track?: string | undefined;
  set?: string | undefined;
}

/**
 * Redirects a path with a former permalink to the present one, and keeps the rest: tab, secret, file and query. Browsers keep
 * the fragment. `undefined` if the path is the present one, in any case of letters. Call it only with what the reader may see.
 */
export function toPresentAddress(
  c: Context<AppEnv>,
  named: NamedPath,
  present: NamedPath,
): Response | undefined {
  if (
    isSame(named.user, present.user) &&
    isSame(named.track, present.track) &&
    isSame(named.set, present.set)
  )
    return undefined;
  const { pathname, search } = new URL(c.req.url);
  const segments = pathname.split("/");
  segments[1] = present.user;
  if (present.track !== undefined) segments[2] = present.track;
  if (present.set !== undefined) segments[3] = present.set;
  const { file } = c.req.param() as { file?: string };
  // An enclosure may bear the name of its track.
  if (file === `${named.track}.mp3`) segments[segments.length - 1] = `${present.track}.mp3`;
  return new Response(null, {
    status: 301,
    headers: {
      Location: webUrl(c.env, segments.join("/") + search),
      // Its owner may return to the former permalink, and a kept redirect would then go in circles.
      "Cache-Control": "private, no-cache",
    },
  });
}

const isSame = (one: string | null | undefined, other: string | null | undefined): boolean =>
  (one ?? "").toLowerCase() === (other ?? "").toLowerCase();

import type { Context } from "hono";
import type { MiniUserRow } from "../../db/queries/people.ts";
import type { AppEnv, Env } from "../http/env.ts";
import { webUrl } from "../http/links.ts";
import { formToken } from "./form-guard.ts";
import { clearSiteViewer, siteViewer } from "./viewer.ts";

/** The person who reads a page. */
export interface Reader {
  /** Undefined for a visitor. */
  user?: { id: number; username: string; permalink: string } | undefined;
  /** Token of the form that signs out. */
  token: string;
  /** The page's own path, to return to after signing in. */
  path: string;
}

/** Returns the reader that the page's statement found. A cookie of an ended session is cleared. */
export function readerOf(c: Context<AppEnv>, user: MiniUserRow | null): Reader {
  if (!user && siteViewer(c)) clearSiteViewer(c);
  return { user: user ?? undefined, token: user ? formToken(c, "end session") : "", path: c.req.path };
}

/** The end of the bar: who is signed in, or how to sign in. */
export const Account = ({ env, reader: { user, token, path } }: { env: Env; reader: Reader }) =>
  user ? (
    <>
      <a href={webUrl(env, `/${user.permalink}`)}>{user.username}</a>
      <a href={`${env.AUTH_URL}/settings`}>Account</a>
      <form class="bar-form" method="post" action="/session/end">
        <input type="hidden" name="form_token" value={token} />
        <button type="submit">Sign out</button>
      </form>
    </>
  ) : (
    <a href={webUrl(env, `/session/new?${new URLSearchParams({ next: path })}`)}>Sign in</a>
  );

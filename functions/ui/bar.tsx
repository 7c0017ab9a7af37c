import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { AppEnv, Env } from "../lib/http/env.ts";
import { webUrl } from "../lib/http/links.ts";
import { referrerOf } from "../lib/http/referrer.ts";
import { MAX_SEARCH_CHARS } from "../lib/text/search.ts";
import { Apart } from "./apart.tsx";
import { siteSessionHash } from "./cookies.ts";
import { formToken } from "./form-guard.ts";
import { readPath } from "./form-page.ts";
import { Icon } from "./icons.tsx";
import { Logo } from "./logo.tsx";
import { siteName } from "./name.ts";
import { offersSignUp } from "./registration.tsx";
import { isNotedOperator, siteViewer } from "./viewer.ts";

/** The person who reads a page. */
export interface Reader {
  /** Undefined for a visitor. */
  userId: number | undefined;
  /** Set where nobody knows who reads the page, which then calls nobody signed out. */
  isUnknown?: boolean;
  /** Token of the form that signs out. Empty where nobody can. */
  token: string;
  /** Default: the site's. */
  signOutPath?: string;
  /** Token of the small forms on every page, such as likes. */
  actToken: string;
  /**
   * The path and query to return to after signing in or acting: this page's, or those of the page whose form was
   * submitted.
   */
  path: string;
  /** The host of the page of others that led here. */
  ledBy?: string | undefined;
  /** Whether they have just signed up. */
  isNew: boolean;
  /** Whether the menu leads to the operators' pages. */
  isOperator: boolean;
  /** Their choice between light and dark, if they made one in this browser. */
  theme: Theme | undefined;
  /** Allows the style sheet that Turbo adds. */
  styleNonce: string;
  /** The words of the last search. */
  searched: string;
}

type Theme = "light" | "dark";

/** `theme.ts` sets it. */
const themeOf = (c: Context<AppEnv>): Theme | undefined => {
  const chosen = getCookie(c, "theme");
  return chosen === "light" || chosen === "dark" ? chosen : undefined;
};

/** Reads a page of another host, where nobody knows who is signed in at the site. */
export const GUEST: Reader = {
  userId: undefined,
  isUnknown: true,
  token: "",
  actToken: "",
  path: "/",
  isNew: false,
  isOperator: false,
  theme: undefined,
  styleNonce: "",
  searched: "",
};

/** The reader of a page of accounts. Whoever is signed in there may sign out. */
export const accountReader = (c: Context<AppEnv>): Reader => ({
  ...GUEST,
  theme: themeOf(c),
  ...(siteSessionHash(c) && { token: formToken(c, "sign-out"), signOutPath: "/signout" }),
});

/** Subject of the token that every small form of a page shares. */
export const ACT = "act";

export function readerOf(c: Context<AppEnv>): Reader {
  const userId = siteViewer(c)?.userId;
  return {
    userId,
    token: userId === undefined ? "" : formToken(c, "end session"),
    actToken: userId === undefined ? "" : formToken(c, ACT),
    path: readPath(c),
    ledBy: referrerOf(c.req, c.env),
    isNew: userId !== undefined && c.req.query("notice") === "welcome",
    isOperator: isNotedOperator(c),
    theme: themeOf(c),
    styleNonce: crypto.randomUUID(),
    searched: c.req.path === "/search" ? (c.req.query("q") ?? "") : "",
  };
}

/** Sends a visitor to sign in and back to this page. */
export const signInUrl = (env: Env, { path }: Reader): string =>
  webUrl(env, `/session/new?${new URLSearchParams({ next: path })}`);

/** Sends a visitor to sign up and back to this page. */
export const signUpUrl = (env: Env, { path }: Reader): string =>
  webUrl(env, `/session/new?${new URLSearchParams({ sign_up: "true", next: path })}`);

interface BarProps {
  env: Env;
  reader: Reader;
}

/** The top of every page. */
export const Bar = ({ env, reader }: BarProps) => (
  <header class={/^\/search(?:\?|$)/.test(reader.path) ? "top searching" : "top"}>
    <div class="bar">
      <a class="brand" href={webUrl(env, "/")}>
        <Logo />
        <span class="brand-name">{siteName(env)}</span>
      </a>
      <search class="search">
        <form action={webUrl(env, "/search")}>
          <label class="sr-only" for="search">
            Search
          </label>
          <search-suggestions>
            <input
              id="search"
              type="search"
              name="q"
              placeholder="Search tracks, people and sets"
              maxlength={MAX_SEARCH_CHARS}
              value={reader.searched}
            />
          </search-suggestions>
        </form>
      </search>
      <nav aria-label="Site">
        <Apart>
          <a href={webUrl(env, "/discover")}>Discover</a>
          {reader.userId === undefined && !reader.isUnknown ? (
            <Apart>
              <ThemeSwitch />
              <a href={signInUrl(env, reader)} data-turbo="false">
                Sign in
              </a>
              {offersSignUp(env) && (
                <a class="button small" href={signUpUrl(env, reader)} data-turbo="false">
                  Sign up
                </a>
              )}
            </Apart>
          ) : (
            <Apart>
              <a href={webUrl(env, "/upload")}>Upload</a>
              <ThemeSwitch />
              <Bell env={env} />
              <Menu env={env} reader={reader} />
            </Apart>
          )}
        </Apart>
      </nav>
    </div>
  </header>
);

/** Needs the script that keeps the choice. Without it, the system's scheme holds. */
const ThemeSwitch = () => (
  <theme-switch>
    <button class="icon-button" type="button" aria-label="Light or dark" title="Light or dark">
      <Icon name="theme" />
    </button>
  </theme-switch>
);

/** Without script a link. The script adds the count of news, which stands over the icon, so nothing moves. */
const Bell = ({ env }: { env: Env }) => (
  <news-bell data-count={webUrl(env, "/you/notifications/count")}>
    <a class="icon-button" href={webUrl(env, "/you/notifications")} title="Notifications">
      <Icon name="bell" />
      <span class="sr-only">Notifications</span>
      <span class="bell-count" aria-hidden="true" hidden />
    </a>
  </news-bell>
);

export const OWN_PAGES = [
  ["/you", "Profile"],
  ["/you/tracks", "Your tracks"],
  ["/you/insights", "Insights"],
  ["/you/library", "Library"],
  ["/you/history", "History"],
  ["/you/notifications", "Notifications"],
  ["/you/webhooks", "Webhooks"],
] as const;

const ACCOUNT_PAGES = [
  ["/you/apps", "Apps"],
  ["/settings", "Settings"],
] as const;

const Menu = ({ env, reader: { token, isOperator, signOutPath = "/session/end" } }: BarProps) => (
  <details class="menu">
    <summary class="icon-button" title="You">
      <Icon name="you" />
      <span class="sr-only">You</span>
    </summary>
    <ul>
      {OWN_PAGES.map(([path, name]) => (
        <li>
          <a href={webUrl(env, path)}>{name}</a>
        </li>
      ))}
      {ACCOUNT_PAGES.map(([path, name]) => (
        <li>
          <a href={env.AUTH_URL + path} data-turbo="false">
            {name}
          </a>
        </li>
      ))}
      {isOperator && (
        <li>
          <a href={webUrl(env, "/admin")}>Operation</a>
        </li>
      )}
      {token !== "" && (
        <li>
          <form method="post" action={signOutPath} data-turbo="false">
            <input type="hidden" name="form_token" value={token} />
            <button type="submit">Sign out</button>
          </form>
        </li>
      )}
    </ul>
  </details>
);

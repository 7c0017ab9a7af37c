import type { Context } from "hono";
import type { Env } from "./env.ts";

/**
 * Something that ends, or that something newer replaces. Headers, the API document, the docs, the changelog with its feed, mails to
 * developers and their pages are made from this list, so an entry announces it everywhere.
 */
export interface Deprecation {
  /** Never changes: stored rows name it. */
  id: string;
  title: string;
  /** Says in Markdown what it is and what to use instead. */
  text: string;
  /** Every request to these is a use. Handlers report uses of a field or a behaviour by `noteDeprecated`. */
  operations: readonly string[];
  /** The day of the announcement, in UTC. */
  since: string;
  /** The first day without it. It stays if there is none. */
  ends?: string;
  /** Path of the page that tells what replaces it. */
  replacement: string;
  /** Whether this deployment has it. Default: yes. */
  isOffered?: (env: Pick<Env, "OLDER_BEHAVIOUR">) => boolean;
}

export const OLDER_BEHAVIOUR: Deprecation & { ends: string } = {
  id: "older-behaviour",
  title: "Older credentials and endpoints",
  text: "`oauth_token` in the query or the form, a `client_id` without a token, `/connect`, `/oauth2/token` and the older host end. Send `Authorization: Bearer`, and get tokens by `/authorize` and `/oauth/token`.",
  operations: ["connect", "createOlderToken"],
  since: "2025-02-01",
  ends: "2028-02-01",
  replacement: "/docs/older-clients",
  isOffered: (env) => env.OLDER_BEHAVIOUR === "on",
};

export const DEPRECATIONS: readonly Deprecation[] = [
  OLDER_BEHAVIOUR,
  {
    id: "favorites",
    title: "Favorites and `/tracks/{id}/stream`",
    text: "The operations on favorites and `/tracks/{id}/stream` stay for the clients that call them. Take `/me/likes/tracks`, `/likes/tracks/{id}` and `/tracks/{id}/streams` instead.",
    operations: [
      "listMyFavorites",
      "listUserFavorites",
      "addFavorite",
      "removeFavorite",
      "addUserFavorite",
      "removeUserFavorite",
      "getTrackStream",
    ],
    since: "2025-02-01",
    replacement: "/docs/older-clients",
  },
];

export type Ending = Deprecation & { ends: string };

export const isEnding = (one: Deprecation): one is Ending => one.ends !== undefined;

export function endingNamed(id: string): Ending {
  const found = DEPRECATIONS.filter(isEnding).find((one) => one.id === id);
  if (!found) throw new Error(`nothing named ${id} is announced to end`);
  return found;
}

/** Entries that this deployment has, the next end first. */
export const deprecationsAt = (
  env: Pick<Env, "OLDER_BEHAVIOUR">,
  all: readonly Deprecation[] = DEPRECATIONS,
): Deprecation[] =>
  all
    .filter(({ isOffered }) => isOffered?.(env) ?? true)
    .sort((a, b) => (a.ends ?? NEVER).localeCompare(b.ends ?? NEVER));

const NEVER = "9999";

export const deprecationsOf = (operationId: string, all = DEPRECATIONS): Deprecation[] =>
  all.filter(({ operations }) => operations.includes(operationId));

/** The description of an operation ends with it. */
export const announcementOf = ({ since, ends, text }: Deprecation): string =>
  `Deprecated since ${since}${ends ? `, ends on ${ends}` : ""}. ${text}`;

declare module "hono" {
  interface ContextVariableMap {
    /** Uses by the request. */
    deprecations: readonly Deprecation[] | undefined;
  }
}

/** Reports that the request uses something. Repeating it changes nothing. */
export function noteDeprecated(c: Context, one: Deprecation): void {
  const noted = c.get("deprecations") ?? [];
  if (!noted.includes(one)) c.set("deprecations", [...noted, one]);
}

/** RFC 9745 and RFC 8594. With several, the first date of each header counts. */
export function markDeprecated(
  headers: Headers,
  used: readonly Deprecation[],
  env: Pick<Env, "API_URL">,
): void {
  const [since] = used.map((one) => one.since).sort();
  const [ends] = used.flatMap((one) => one.ends ?? []).sort();
  if (since === undefined) return;
  headers.set("Deprecation", `@${Date.parse(since) / 1000}`);
  for (const path of new Set(used.map(({ replacement }) => replacement)))
    headers.append("Link", `<${env.API_URL}${path}>; rel="deprecation"; type="text/html"`);
  if (ends === undefined) return;
  headers.set("Sunset", new Date(ends).toUTCString());
  headers.append("Link", `<${env.API_URL}/docs/changelog#deprecated>; rel="sunset"; type="text/html"`);
}

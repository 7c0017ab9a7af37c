import type { Named } from "../../../db/queries/resolve.ts";
import type { Env } from "../../lib/http/env.ts";
import { idText, plainIdText } from "../../lib/text/fields.ts";

type Addresses = Pick<Env, "API_URL" | "WEB_URL" | "OLDER_API_URL">;

/** The resource of a URL. */
interface NamedResource extends Named {
  /** From the URL itself. */
  secretToken?: string | undefined;
}

/**
 * A pattern, because a URL parser would repair backslashes, dots and look-alike letters. Our URLs never hold a user or
 * a password.
 */
const ADDRESS = /^(https?):\/\/([^/?#\\@\s]+)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is;

export const isAddress = (url: string): boolean => ADDRESS.test(url);

/** Returns `undefined` for other hosts. Nothing is ever fetched. */
export function resourceNamed(
  url: string,
  { API_URL, OLDER_API_URL, WEB_URL }: Addresses,
): NamedResource | undefined {
  const [, scheme = "", authority = "", written = "", query = ""] = ADDRESS.exec(url) ?? [];
  const host = authority.toLowerCase().replace(scheme.toLowerCase() === "http" ? /:80$/ : /:443$/, "");
  const isAt = (...own: (string | undefined)[]) => own.some((one) => one && new URL(one).host === host);
  const path = decoded(written);
  const resource = isAt(API_URL, OLDER_API_URL) ? resourceAt(path) : undefined;
  const meant = resource ?? (isAt(WEB_URL) ? pageAt(path) : undefined);
  const secretToken = new URLSearchParams(query).get("secret_token") ?? undefined;
  return meant && { secretToken, ...meant };
}

/** Returns "" if the path is malformed. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}

const RESOURCE = /^\/(apps|users|tracks|playlists)\/([^/]+?)(?:\.(?:json|xml|jsonp))?\/?$/;

const RESOURCES: Record<string, [Named["kind"], typeof plainIdText]> = {
  apps: ["app", plainIdText],
  users: ["user", idText("users")],
  tracks: ["track", idText("tracks")],
  playlists: ["playlist", idText("playlists")],
};

function resourceAt(path: string): Named | undefined {
  const [, name = "", written] = RESOURCE.exec(path) ?? [];
  const [kind, Id] = RESOURCES[name] ?? [];
  const id = Id?.safeParse(written).data;
  return kind && id !== undefined ? { kind, id } : undefined;
}

/** `/{user}`, `/{user}/{track}` and `/{user}/sets/{playlist}`. A private link ends with its secret token. */
const PAGE = /^\/([\w-]{1,200})(?:\/(sets\/)?([\w-]{1,200})(?:\/(s-[0-9A-Za-z]{1,98}))?)?\/?$/i;

function pageAt(path: string): NamedResource | undefined {
  const [, owner, sets, permalink, secretToken] = PAGE.exec(path) ?? [];
  if (owner === undefined) return undefined;
  if (permalink === undefined) return { kind: "user", permalink: owner };
  if (owner.toLowerCase() === "apps") return { kind: "app", permalink };
  const what: Named = { kind: sets ? "playlist" : "track", owner, permalink };
  return secretToken === undefined ? what : { ...what, secretToken };
}

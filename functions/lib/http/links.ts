import type { Env } from "./env.ts";

/** The configured addresses. Every absolute URL in a reply begins with one of them, whatever the request's host. */
export type Links = Pick<Env, "API_URL" | "WEB_URL" | "URN_NAMESPACE">;

export const apiUrl = (links: Links, path: string): string => links.API_URL + path;
export const webUrl = (links: Links, path: string): string => links.WEB_URL + path;

type UrnKind = "users" | "tracks" | "playlists" | "comments" | "connections" | "web-profiles";

export const urn = (links: Links, kind: UrnKind, id: number): string =>
  `${links.URN_NAMESPACE}:${kind}:${id}`;

/** `yyyy/mm/dd hh:mm:ss +0000`, the format of timestamps in every representation. */
export function timestamp(instant: string | Date): string {
  // The database's format is cut, not parsed: parsing takes longer than the rest of a representation.
  const isUtc = typeof instant === "string" && UTC.test(instant);
  const iso = isUtc ? instant : new Date(instant).toISOString();
  return `${iso.slice(0, 4)}/${iso.slice(5, 7)}/${iso.slice(8, 10)} ${iso.slice(11, 19)} +0000`;
}

/** RFC 3339 in UTC by whole seconds, the format of times in newer fields. */
export const rfc3339 = (instant: string): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|\+00:00)$/;

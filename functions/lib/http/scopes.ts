/** Purposes that a token may be limited to, each with what it allows. RFC 6749 §3.3 */
export const SCOPES = {
  read: "see your profile, your tracks and playlists, private ones included, your feed, and what you played; and count what you play",
  tracks: "upload, import, publish, change, share and delete tracks, and release them together",
  playlists: "make, publish, change, share and delete playlists and podcasts",
  social: "like, repost, comment and follow in your name, and accept and decline credits on tracks of others",
  profile: "change your profile, its address, your name and your links",
  connections: "add and remove your connections to other services, and choose what is posted there",
  webhooks: "have us report activity on your account to an address of its choice",
};

export type Scope = keyof typeof SCOPES;

/** No purpose includes these, because they give others access, too. */
export const BEYOND_SCOPES = "register apps in your name, and renew or delete those it registered";

/** A route's scope. `*`: only tokens that may do everything. */
export type RouteScope = Scope | "*";

export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Both mean everything: the current name and the older one. */
const isEverything = (scope: string): boolean => scope === "" || scope === "*";

/** Returns a requested scope in the order of `SCOPES`, or `undefined` if a name is unknown. */
export function parseScope(asked: string): string | undefined {
  const names = asked.split(" ").filter((name) => name !== "");
  if (names.some((name) => name !== "*" && !Object.hasOwn(SCOPES, name))) return undefined;
  return names.includes("*") ? "*" : SCOPE_NAMES.filter((name) => names.includes(name)).join(" ");
}

/** Returns the purposes that a scope is limited to, or `undefined` for everything. Names that no longer exist allow nothing. */
export function limitsOf(scope: string): Scope[] | undefined {
  if (isEverything(scope)) return undefined;
  const names = scope.split(" ");
  return SCOPE_NAMES.filter((name) => names.includes(name));
}

/** Whether all that `asked` allows is allowed by `granted`. */
export function covers(granted: string, asked: string): boolean {
  const [limits, wanted] = [limitsOf(granted), limitsOf(asked)];
  return limits === undefined || (wanted?.every((name) => limits.includes(name)) ?? false);
}

import type { Context } from "hono";
import type { AppEnv, Env } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";

const POLICY = "Content-Security-Policy";

/** The policy of every reply except pages, which have their own. */
export const NO_CONTENT: [name: string, text: string] = [
  POLICY,
  "default-src 'none'; frame-ancestors 'none'",
];

const RESOURCE_POLICY = "Cross-Origin-Resource-Policy";
const OPENER_POLICY = "Cross-Origin-Opener-Policy";

/** A page that other sites frame. */
export const LOADABLE: [name: string, text: string] = [RESOURCE_POLICY, "cross-origin"];
/** A page that a pop-up visits on its way to an app. The opener must still reach the pop-up there. */
export const KEEPS_OPENER: [name: string, text: string] = [OPENER_POLICY, "unsafe-none"];

/** Added to `Vary` of all replies if some clients get a compressed body. */
export const COMPRESSED: [name: string, text: string] = ["Vary", "Accept-Encoding"];

const headersByEnv = new WeakMap<Env, [name: string, text: string][]>();

/** Headers of every reply. */
export function securityHeaders(env: Env): [name: string, text: string][] {
  const known = headersByEnv.get(env);
  if (known) return known;
  const made: [string, string][] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    LOADABLE,
    ["Vary", "Accept, Authorization, Origin"],
  ];
  if (env.API_URL.startsWith("https:"))
    made.push(["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]);
  headersByEnv.set(env, made);
  return made;
}

/** Applies to every reply, errors included. Pages replace the policy with their own. `isOpen`: pages of any origin may read it. */
export function secure(c: Context<AppEnv>, headers: Headers, isOpen: boolean): void {
  if (c.get("viewer") && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  if (headers.get("Content-Type") === "application/json") headers.set("Content-Type", JSON_TYPE);
  const isPage = headers.get("Content-Type")?.startsWith("text/html") ?? false;
  if ((!isOpen || isPage) && headers.get("Cache-Control")?.includes("no-store")) isolate(headers, isPage);
  const ownPolicy = headers.get(RESOURCE_POLICY);
  const compressed = headers.get(COMPRESSED[0]) === COMPRESSED[1];
  for (const [name, text] of securityHeaders(c.env)) headers.set(name, text);
  if (ownPolicy) headers.set(RESOURCE_POLICY, ownPolicy);
  if (compressed) headers.append(...COMPRESSED);
  if (!headers.has(POLICY)) headers.set(...NO_CONTENT);
}

/** Isolates replies for one viewer: other sites can neither load them nor keep a reference to their window. */
function isolate(headers: Headers, isPage: boolean): void {
  if (headers.has(RESOURCE_POLICY)) return;
  headers.set(RESOURCE_POLICY, "same-origin");
  if (isPage && !headers.has(OPENER_POLICY)) headers.set(OPENER_POLICY, "same-origin");
}

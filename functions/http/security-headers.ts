import type { Context } from "hono";
import type { AppEnv, Env } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";

const POLICY = "Content-Security-Policy";

/** The policy of every reply except pages, which have their own. */
export const NO_CONTENT: [name: string, text: string] = [
  POLICY,
  "default-src 'none'; frame-ancestors 'none'",
];

/** The policy of account pages, which no other site may load in any way. */
export const ISOLATED: [name: string, text: string] = ["Cross-Origin-Resource-Policy", "same-origin"];

/** Joins the `Vary` of all replies where some clients get a compressed body. */
export const COMPRESSED: [name: string, text: string] = ["Vary", "Accept-Encoding"];

const headersByEnv = new WeakMap<Env, [name: string, text: string][]>();

/** Headers of every reply. */
export function securityHeaders(env: Env): [name: string, text: string][] {
  const known = headersByEnv.get(env);
  if (known) return known;
  const made: [string, string][] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    ["Cross-Origin-Resource-Policy", "cross-origin"],
    ["Vary", "Accept, Authorization, Origin"],
  ];
  if (env.API_URL.startsWith("https:"))
    made.push(["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]);
  headersByEnv.set(env, made);
  return made;
}

/** Applies to every reply, errors included. Pages replace the policy with their own. */
export function secure(c: Context<AppEnv>, headers: Headers): void {
  if (c.get("viewer") && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  if (headers.get("Content-Type") === "application/json") headers.set("Content-Type", JSON_TYPE);
  const ownPage = headers.has(ISOLATED[0]);
  const compressed = headers.get(COMPRESSED[0]) === COMPRESSED[1];
  for (const [name, text] of securityHeaders(c.env)) headers.set(name, text);
  if (ownPage) headers.set(...ISOLATED);
  if (compressed) headers.append(...COMPRESSED);
  if (!headers.has(POLICY)) headers.set(...NO_CONTENT);
}

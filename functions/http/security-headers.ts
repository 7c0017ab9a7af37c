import type { Context } from "hono";
import type { AppEnv, Env } from "./env.ts";
import { JSON_TYPE } from "./json-type.ts";

declare module "hono" {
  interface ContextVariableMap {
    /** The reply that was made by `securedJson`, while there is no other. */
    secured: Response | undefined;
  }
}

const POLICY = "Content-Security-Policy";
const NOTHING = "default-src 'none'; frame-ancestors 'none'";

interface Said {
  /** On every reply. */
  always: [name: string, text: string][];
  /** The same and what else is on JSON. */
  onJson: Headers;
}

const said = new WeakMap<Env, Said>();

function saidBy(env: Env): Said {
  const known = said.get(env);
  if (known) return known;
  const always: Said["always"] = [
    ["X-Content-Type-Options", "nosniff"],
    ["Referrer-Policy", "no-referrer"],
    ["Cross-Origin-Resource-Policy", "cross-origin"],
    ["Vary", "Accept, Authorization, Origin"],
  ];
  if (env.API_URL.startsWith("https:"))
    always.push(["Strict-Transport-Security", "max-age=31536000; includeSubDomains"]);
  const made = { always, onJson: new Headers([...always, [POLICY, NOTHING], ["Content-Type", JSON_TYPE]]) };
  said.set(env, made);
  return made;
}

/** On every reply, errors included. Pages replace the policy by their own. */
export function secure(c: Context<AppEnv>, headers: Headers): void {
  if (c.get("viewer") && !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-cache");
  if (c.get("secured") === c.res) return;
  if (headers.get("Content-Type") === "application/json") headers.set("Content-Type", JSON_TYPE);
  for (const [name, text] of saidBy(c.env).always) headers.set(name, text);
  if (!headers.has(POLICY)) headers.set(POLICY, NOTHING);
}

/** JSON with all of `secure`'s headers: the runtime copies them faster than it sets one after the other. */
export function securedJson(c: Context, json: string): Response {
  const reply = new Response(json, { headers: saidBy(c.env).onJson });
  c.set("secured", reply);
  return reply;
}

import type { Context } from "hono";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { assetUrl } from "../../ui/assets.ts";
import { siteName } from "../../ui/name.ts";

export interface Section {
  /** Anchor. */
  id: string;
  title: string;
  text: string;
}

/** A guide as the build stores it beside the Worker. */
export interface GuideText {
  html: string;
  markdown: string;
  sections: Section[];
}

/** Reads a file from the build. Fills in this deployment's addresses. */
export async function readText<Text>(c: Context<AppEnv>, file: string): Promise<Text> {
  const reply = await c.env.ASSETS.fetch(assetUrl(c.env, file));
  if (!reply.ok) throw new Error(`${file} is not among the static files: ${reply.status}`);
  return JSON.parse(await reply.text(), (_, value) =>
    typeof value === "string" ? fillIn(value, c.env) : value,
  );
}

/** Replaces names such as `{api_url}`. */
const fillIn = (text: string, env: Env): string =>
  text.replace(/\{(api_url|auth_url|web_url|older_url|site_name|tone_url)\}/g, (_, name: Name) =>
    ADDRESSES[name](env),
  );

type Name = keyof typeof ADDRESSES;

const ADDRESSES = {
  api_url: (env: Env) => env.API_URL,
  auth_url: (env: Env) => env.AUTH_URL,
  web_url: (env: Env) => env.WEB_URL,
  older_url: (env: Env) => env.OLDER_API_URL ?? env.API_URL,
  site_name: (env: Env) => siteName(env),
  /** Three seconds of sound for a first upload. */
  tone_url: (env: Env) => assetUrl(env, "tone.wav"),
};

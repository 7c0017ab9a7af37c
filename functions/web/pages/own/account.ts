import type { Context } from "hono";
import type { AppEnv, Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { looksLikeId, romanized } from "../../../lib/text/permalink.ts";
import { ApiRefusal, readApi } from "../../../ui/own-api.ts";

/** An account in a form: a profile's URL, a username or an id. */

export const NO_ACCOUNT = "must be the address of a profile here, or its username";

/** Returns the account's id. Unknown text stays unchanged, and the API refuses it. */
export async function accountId(c: Context<AppEnv>, written: string): Promise<number | string> {
  const text = written.trim();
  if (text === "" || looksLikeId(text)) return text;
  const url = encodeURIComponent(await profileAddress(c.env, text));
  try {
    const { kind, id } = await readApi<{ kind: string; id: number }>(c, `/resolve?url=${url}`);
    return kind === "user" ? id : text;
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 404) return text;
    throw error;
  }
}

async function profileAddress(env: Env, text: string): Promise<string> {
  if (/^https?:\/\//i.test(text)) return text;
  const { host } = new URL(env.WEB_URL);
  if (text.toLowerCase().startsWith(`${host}/`)) return `https://${text}`;
  const name = text.replace(/^[@/]/, "");
  return webUrl(env, `/${/^[\w-]+$/.test(name) ? name : await romanized(name)}`);
}

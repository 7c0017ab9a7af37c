import type { HonoRequest } from "hono";
import type { Env } from "./env.ts";

/** Characters. Longer hosts are left out. */
const MOST = 100;

const HOST = /^[a-z0-9.-]+(?::\d+)?$/;

/** The host of the page that led here or that asks, if it is none of ours. Its path may tell of a person. */
export function referrerOf(
  request: HonoRequest,
  env: Pick<Env, "WEB_URL" | "AUTH_URL" | "API_URL">,
): string | undefined {
  const sent = request.header("Referer");
  if (!sent || !URL.canParse(sent)) return undefined;
  const { host, protocol } = new URL(sent);
  if (!protocol.startsWith("http") || host.length > MOST || !HOST.test(host)) return undefined;
  const own = [env.WEB_URL, env.AUTH_URL, env.API_URL].map((url) => new URL(url).host);
  return own.includes(host) ? undefined : host.replace(/^www\./, "");
}

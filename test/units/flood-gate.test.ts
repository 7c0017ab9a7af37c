import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serve } from "../../functions/app.ts";
import type { Env } from "../../functions/lib/http/env.ts";

const LIMIT = 3;
const PERIOD_S = 10;
const platform = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    script: "export default {}",
    ratelimits: { FLOOD_GATE: { namespace_id: "1", simple: { limit: LIMIT, period: PERIOD_S } } },
  }),
);
let env: Env;

beforeAll(async () => {
  const { FLOOD_GATE } = await platform.getBindings<Pick<Env, "FLOOD_GATE">>();
  const [API_URL, AUTH_URL, WEB_URL] = ["https://api.example", "https://auth.example", "https://web.example"];
  env = { API_URL, AUTH_URL, WEB_URL, FLOOD_GATE, DATABASE_URL: "postgres://u:p@nowhere.example/d" } as Env;
});
afterAll(() => platform.dispose());

const statusOf = async (path: string, address: string) => {
  const request = new Request(`https://api.example${path}`, { headers: { "CF-Connecting-IP": address } });
  const { status, headers } = await serve(request, env, { waitUntil: () => {} } as never);
  return [status, headers.get("Retry-After")];
};

const windowNow = () => Math.floor(Date.now() / 1000 / PERIOD_S);

/** Sends more than the limit within one window. They follow the wall clock, so a slow machine may need another. */
async function flood(address: string): Promise<unknown[]> {
  const [began, replies]: [number, unknown[]] = [windowNow(), []];
  for (let n = 0; n < LIMIT + 2; n++) replies.push(await statusOf("/healthz", address));
  return windowNow() === began ? replies : flood(`${address}0`);
}

test("a flood from one address is refused before anything is asked; others and files are not", async () => {
  const replies = await flood("198.51.100.1");
  expect(replies.slice(0, LIMIT)).toEqual(Array(LIMIT).fill([200, null]));
  expect(replies.at(-1)).toEqual([429, "10"]);
  expect(await statusOf("/healthz", "198.51.100.2")).toEqual([200, null]);
  expect(await statusOf("/images/x.jpg", "198.51.100.1")).toEqual([404, null]);
});

test("the token endpoint refuses it as too many requests, not as a wrong one", async () => {
  const closed = { ...env, FLOOD_GATE: { limit: async () => ({ success: false }) } };
  const request = new Request("https://auth.example/oauth/token", { method: "POST" });
  const refused = await serve(request, closed, { waitUntil: () => {} } as never);
  expect(await refused.json()).toMatchObject({ code: 429, error: "rate_limit_exceeded" });
});

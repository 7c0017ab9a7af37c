import { Hono } from "hono";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AppEnv, Env } from "../../functions/lib/http/env.ts";
import { sign } from "../../functions/lib/security/signing.ts";
import { formToken, readOwnForm } from "../../functions/ui/form-guard.ts";

const env = {
  WEB_URL: "https://web.example",
  AUTH_URL: "https://auth.example",
  SIGNING_KEYS: Buffer.alloc(32, 7).toString("base64"),
} as Env;

const app = new Hono<AppEnv>()
  .get("/", (c) => c.text(formToken(c, "act")))
  .post("/", async (c) => c.json(await readOwnForm(c, "act")))
  .onError((_, c) => c.text("refused", 403));

const viewer = (session: number) => `__Host-viewer=${sign(env, "viewer", JSON.stringify([session, 1]))}`;

/** Shows a form and sends it after some hours. */
async function sendAfter(hours: number, cookie: string | undefined, sender = cookie): Promise<number> {
  const shown = await app.request("/", cookie === undefined ? {} : { headers: { Cookie: cookie } }, env);
  const given = sender ?? shown.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  vi.advanceTimersByTime(hours * 3_600_000);
  const body = new URLSearchParams({ form_token: await shown.text() });
  return (await app.request("/", { method: "POST", body, headers: { Cookie: given } }, env)).status;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a form of somebody signed in can be sent while the session lasts", async () => {
  expect(await sendAfter(5, viewer(1))).toBe(200);
  expect(await sendAfter(20 * 24, viewer(1))).toBe(200);
  expect(await sendAfter(31 * 24, viewer(1))).toBe(403);
});

test("a form of another session cannot be sent", async () => {
  expect(await sendAfter(0, viewer(1), viewer(2))).toBe(403);
});

test("a visitor's form can be sent for an hour", async () => {
  expect(await sendAfter(0.9, undefined)).toBe(200);
  expect(await sendAfter(1.1, undefined)).toBe(403);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../functions/client/store.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { beginSignIn, type Installed, installClient } from "./typed-client.support.ts";

let installed: Installed;
let soundpost: Installed["soundpost"];

beforeAll(async () => {
  installed = await installClient();
  soundpost = installed.soundpost;
});

afterAll(() => installed.remove());

test("signing out ends a session whose access token has expired", async () => {
  const values = new Map<string, string>();
  const store: Store = {
    get: (key) => values.get(key),
    set: (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value)),
    lock: (_, work) => work(),
  };
  const { client, callback, app } = await beginSignIn(soundpost, store);
  await client.session.finish(callback);
  const tokens = await client.session.tokens.read();
  await client.session.tokens.write({ ...tokens, accessToken: "expired", expiresAt: 0 });
  await client.session.end();
  const refreshed = await fetch(`${stack.urls.auth}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: tokens?.refreshToken ?? "",
      client_id: app.client_id,
      client_secret: app.client_secret,
    }),
  });
  expect(refreshed.status).toBe(400);
});

test("a stream that has begun outlasts the time within which a reply must come", async () => {
  const { token } = await createUser();
  const client = soundpost.createClient({ apiUrl: stack.urls.api, token, timeoutMs: 3_000 });
  const stop = new AbortController();
  const headers = { Accept: "text/event-stream" };
  const begun = () =>
    client.request("get", "/me/events", { headers, signal: stop.signal }).then(
      ({ body }) => body?.getReader(),
      () => undefined,
    );
  // A busy machine may take longer to begin it.
  let reader: Awaited<ReturnType<typeof begun>>;
  await expect.poll(async () => (reader = await begun())).toBeDefined();
  await reader?.read();
  const broken = reader?.read().catch((error: unknown) => error);
  expect(await Promise.race([broken, new Promise((wake) => setTimeout(wake, 3_500, "alive"))])).toBe("alive");
  stop.abort();
});

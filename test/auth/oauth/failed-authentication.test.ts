import { expect, test } from "vitest";
import {
  type Answer,
  type App,
  auth,
  basic,
  expectError,
  inBody,
  randomAddress,
  statuses,
  times,
} from "../../support/oauth.ts";

const failing = (app: App, address: string) =>
  auth.token("grant_type=client_credentials", { headers: basic(app.client_id, "wrong"), address });

const failedAgo = (address: string, interval: string) =>
  auth.sql("update failures set failed_at = now() - $2::interval where bucket like $1", [
    `client% ${address}`,
    interval,
  ]);

function expectLimited(answer: Answer<unknown>, bucket = "by-app-and-ip", max = 10) {
  expectError(answer, 429, "rate_limit_exceeded");
  const { "retry-after": wait, ratelimit, "ratelimit-policy": policy } = answer.headers;
  expect(wait).toMatch(/^([1-9]|[1-5]\d|60)$/);
  expect([ratelimit, policy]).toEqual([`"${bucket}";r=0;t=${wait}`, `"${bucket}";q=${max};w=60`]);
  const rate_limit = {
    bucket,
    name: "failed-client-authentications",
    max_nr_of_requests: max,
    time_window: "PT1M",
  };
  const meta = { rate_limit, remaining_requests: 0, reset_time: expect.stringMatching(/ \+0000$/) };
  expect(answer.body).toMatchObject({ errors: [{ meta }] });
}

test("ten failures a minute per client and address; then even the right secret is refused (O74)", async () => {
  const [app, other] = [await auth.createApp(), await auth.createApp()];
  const address = randomAddress();
  for (let tries = 0; tries < 10; tries++) expectError(await failing(app, address), 401, "invalid_client");
  expectLimited(await failing(app, address));
  expectLimited(await auth.ownToken(app, { address }));
  const form = { ...inBody(app), token: "x" };
  for (const path of ["/oauth/revoke", "/oauth/introspect"])
    expectLimited(await auth.send(path, { form, address }));
  expectLimited(await auth.refresh(app, "rt_x", {}, { address }));

  // Only this pair is limited, so that nobody can lock a client out.
  expect((await auth.ownToken(other, { address })).status).toBe(200);
  expect((await auth.ownToken(app, { address: randomAddress() })).status).toBe(200);

  await failedAgo(address, "55 seconds");
  const late = await failing(app, address);
  expectLimited(late);
  expect(Number(late.headers["retry-after"])).toBeLessThanOrEqual(5);
  await failedAgo(address, "1 minute");
  expect((await auth.ownToken(app, { address })).status).toBe(200);
});

test("sixty failures a minute per address, across all clients (O74)", async () => {
  const address = randomAddress();
  const nobody = () => ({ id: 0, client_id: crypto.randomUUID(), client_secret: "" });
  expect(statuses(await times(60, () => failing(nobody(), address)))).toEqual(Array(60).fill(401));
  expectLimited(await failing(nobody(), address), "by-ip", 60);
  const app = await auth.createApp();
  expectLimited(await auth.ownToken(app, { address }), "by-ip", 60);
  expect((await auth.ownToken(app, { address: randomAddress() })).status).toBe(200);
  await failedAgo(address, "1 minute");
  expect((await auth.ownToken(app, { address })).status).toBe(200);
});

test("failures and tokens count separately (O74)", async () => {
  const app = await auth.createApp();
  const address = randomAddress();
  for (let tries = 0; tries < 9; tries++) await failing(app, address);
  expect(statuses(await times(30, () => auth.ownToken(app, { address })))).toEqual(Array(30).fill(200));
  expectError(await failing(app, address), 401, "invalid_client");
  expectLimited(await auth.ownToken(app, { address }));
  const counted = await auth.sql("select 1 from client_credentials_grants where app_id = $1", [app.id]);
  expect(counted).toHaveLength(30);
});

test("failures count for the socket's address, regardless of headers (O75)", async () => {
  const app = await auth.createApp();
  const address = randomAddress();
  const lying = (index: number) =>
    auth.token("grant_type=client_credentials", {
      address,
      headers: {
        ...basic(app.client_id, "wrong"),
        "CF-Connecting-IP": `203.0.113.${index}`,
        "X-Forwarded-For": `203.0.113.${index}`,
      },
    });
  for (let tries = 0; tries < 10; tries++) expectError(await lying(tries), 401, "invalid_client");
  expectLimited(await lying(99));
});

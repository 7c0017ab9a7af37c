import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  type App,
  auth,
  basicOf,
  expectError,
  inBody,
  randomAddress,
  statuses,
  times,
} from "../../support/oauth.ts";

interface Limited {
  errors: { meta: { rate_limit: object; remaining_requests: number; reset_time: string } }[];
}

const GRANT = { grant_type: "client_credentials" };

const sessionsOf = (app: App) => auth.sql("select 1 from sessions where app_id = $1", [app.id]);

/** Moves an app's grants into the past. */
const age = (app: App, interval: string) =>
  auth.sql("update client_credentials_grants set granted_at = granted_at - $2::interval where app_id = $1", [
    app.id,
    interval,
  ]);

const BEGAN_MS = Date.now();

/** Tokens requested from enough addresses to stay under the limit of each. */
async function grantedFrom(app: App, addresses: number, each: number) {
  const from = Array.from({ length: addresses }, randomAddress);
  return (
    await times(addresses * each, (index) => auth.ownToken(app, { address: from[index % addresses] ?? "" }))
  ).flat();
}

/** Expects a refusal by a token limit, with its numbers in every place that clients read. */
function expectLimited(answer: Answer<unknown>, bucket: "by-app" | "by-ip", least: number, most: number) {
  expectError(answer, 429, "rate_limit_exceeded");
  const after = Number(answer.headers["retry-after"]);
  expect(String(after)).toMatch(/^[1-9]\d*$/);
  expect(after).toBeGreaterThanOrEqual(least);
  expect(after).toBeLessThanOrEqual(most);
  const [max, window, seconds] = bucket === "by-app" ? [50, "PT12H", 43_200] : [30, "PT1H", 3_600];
  expect(answer.headers.ratelimit).toBe(`"${bucket}";r=0;t=${after}`);
  expect(answer.headers["ratelimit-policy"]).toBe(`"${bucket}";q=${max};w=${seconds}`);
  const [{ meta } = expect.unreachable()] = (answer.body as Limited).errors;
  const name = "client-credentials-exchange";
  expect(meta.rate_limit).toEqual({ bucket, name, max_nr_of_requests: max, time_window: window });
  expect(meta.remaining_requests).toBe(0);
  const resetAt = Date.parse(meta.reset_time.replaceAll("/", "-").replace(" +0000", "Z").replace(" ", "T"));
  // Both are whole seconds.
  expect(resetAt).toBeGreaterThanOrEqual(BEGAN_MS + (after - 2) * 1000);
  expect(resetAt).toBeLessThanOrEqual(Date.now() + (after + 2) * 1000);
}

test("an app's own token reads public data and belongs to no user (O69)", async () => {
  const app = await auth.createApp();
  const { status, body } = await auth.ownToken(app, { address: randomAddress() });
  expect(status).toBe(200);
  expect(body).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: "" });
  expect(decodeJwt(body.access_token)).toMatchObject({ sub: `c:${app.client_id}`, client_id: app.client_id });
  const asking = async (method: string, path: string, json?: object) => {
    const headers = { Authorization: `OAuth ${body.access_token}` };
    const answer = await auth.send(path, { method, headers, ...(json && { json }) }).catch(() => undefined);
    return answer?.status ?? 0;
  };
  expect(await asking("GET", "/tracks/1")).toBe(404);
  expect(await asking("GET", "/me")).toBe(401);
  expect(await asking("GET", "/me/tracks")).toBe(401);
});

test("its refresh token works and belongs to no user (O69)", async () => {
  const app = await auth.createApp();
  const own = (await auth.ownToken(app, { address: randomAddress() })).body;
  const { status, body } = await auth.refresh(app, own.refresh_token);
  expect([status, decodeJwt(body.access_token).sub]).toEqual([200, `c:${app.client_id}`]);
  expect(await auth.me(body.access_token)).toBe(401);
});

test("credentials in the body are refused and create nothing (O70)", async () => {
  const app = await auth.createApp();
  expectError(
    await auth.token({ ...GRANT, ...inBody(app) }, { address: randomAddress() }),
    401,
    "invalid_client",
  );
  expectError(
    await auth.token({ ...GRANT, ...inBody(app) }, { headers: basicOf(app) }),
    400,
    "invalid_request",
  );
  expect(await sessionsOf(app)).toEqual([]);
});

test("an unknown scope is refused, an empty one is ignored", async () => {
  const app = await auth.createApp();
  const asked = { headers: basicOf(app), address: randomAddress() };
  expectError(await auth.token({ ...GRANT, scope: "admin" }, asked), 400, "invalid_scope");
  expect((await auth.token({ ...GRANT, scope: "" }, asked)).status).toBe(200);
});

test("an app gets fifty tokens in twelve hours (O71, O76, O77)", async () => {
  const app = await auth.createApp();
  expect(statuses(await grantedFrom(app, 2, 25))).toEqual(Array(50).fill(200));
  const address = randomAddress();
  expectLimited(await auth.ownToken(app, { address }), "by-app", 43_100, 43_200);
  expect(await sessionsOf(app)).toHaveLength(50);

  // The oldest expires in a minute. Grants count, not requests.
  await age(app, "11 hours 59 minutes");
  for (let asked = 0; asked < 3; asked++)
    expectLimited(await auth.ownToken(app, { address }), "by-app", 1, 60);
  expect((await auth.ownToken(await auth.createApp(), { address })).status).toBe(200);
  const { tokens } = await auth.signedIn(app);
  expect((await auth.refresh(app, tokens.refresh_token)).status).toBe(200);

  await age(app, "1 minute");
  expect((await auth.ownToken(app, { address })).status).toBe(200);
});

test("an address gets thirty tokens in an hour, across all apps (O72, O76)", async () => {
  const address = randomAddress();
  const apps = await times(3, () => auth.createApp());
  const [app = expect.unreachable(), other = expect.unreachable()] = apps;
  expect(statuses(await times(30, (index) => auth.ownToken(apps[index % 3] ?? app, { address })))).toEqual(
    Array(30).fill(200),
  );
  for (const each of [...apps, await auth.createApp()])
    expectLimited(await auth.ownToken(each, { address }), "by-ip", 3_500, 3_600);
  expect((await auth.ownToken(app, { address: randomAddress() })).status).toBe(200);
  await age(other, "59 minutes 30 seconds");
  expectLimited(await auth.ownToken(app, { address }), "by-ip", 1, 30);
  await age(other, "30 seconds");
  expect(statuses(await times(11, () => auth.ownToken(app, { address })))).toEqual([
    ...Array(10).fill(200),
    429,
  ]);
});

describe("concurrent requests keep the limits exact (O73)", () => {
  test("the limit of an app", async () => {
    const app = await auth.createApp();
    const answers = await grantedFrom(app, 10, 20);
    expect(statuses(answers)).toEqual([...Array(50).fill(200), ...Array(150).fill(429)]);
    expect(await sessionsOf(app)).toHaveLength(50);
  });

  test("the limit of an address", async () => {
    const address = randomAddress();
    const apps = await times(20, () => auth.createApp());
    const answers = await times(200, (index) =>
      auth.ownToken(apps[index % 20] ?? expect.unreachable(), { address }),
    );
    expect(statuses(answers)).toEqual([...Array(30).fill(200), ...Array(170).fill(429)]);
  });

  test("both limits in combination", async () => {
    const apps = await times(4, () => auth.createApp());
    const addresses = Array.from({ length: 5 }, randomAddress);
    const answers = await times(300, (index) =>
      auth.ownToken(apps[index % 4] ?? expect.unreachable(), { address: addresses[index % 5] ?? "" }),
    );
    // Five addresses with thirty each allow less than four apps with fifty each.
    expect(statuses(answers)).toEqual([...Array(150).fill(200), ...Array(150).fill(429)]);
  });
});

test("address headers from a client change nothing (O75)", async () => {
  const address = randomAddress();
  const [app, spare] = await times(2, () => auth.createApp());
  const lies = (index: number) => ({
    "CF-Connecting-IP": `203.0.113.${index}`,
    "X-Forwarded-For": `198.51.100.${index}, 10.0.0.1`,
    "X-Real-IP": `192.0.2.${index}`,
    Forwarded: `for=192.0.2.${index}`,
    "True-Client-IP": `192.0.2.${index}`,
  });
  const lying = (client: App | undefined, index: number) =>
    auth.ownToken(client ?? expect.unreachable(), { address, headers: lies(index) });
  expect(statuses(await times(30, (index) => lying(app, index)))).toEqual(Array(30).fill(200));
  expectLimited(await lying(app, 99), "by-ip", 3_500, 3_600);
  expectLimited(await auth.ownToken(spare ?? expect.unreachable(), { address }), "by-ip", 3_500, 3_600);
  const counted = await auth.sql("select distinct address from client_credentials_grants where app_id = $1", [
    app?.id,
  ]);
  expect(counted).toEqual([{ address }]);
});

test("an IPv6 address counts as its /64, and an embedded IPv4 as itself", async () => {
  const hex = () => Math.floor(Math.random() * 65_536).toString(16);
  const network = `2001:db8:${hex()}:${hex()}`;
  const app = await auth.createApp();
  const from = (edgeAddress: string) => auth.ownToken(app, { edgeAddress });
  expect(statuses(await times(30, (index) => from(`${network}:${hex()}::${index + 1}`)))).toEqual(
    Array(30).fill(200),
  );
  expectLimited(await from(`${network}::1`), "by-ip", 3_500, 3_600);
  expectLimited(await from(`${network.toUpperCase()}:0:0:0:1`), "by-ip", 3_500, 3_600);
  const ipv4 = `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
  for (const elsewhere of ["2001:db8:ffff::1", ipv4, `::ffff:${ipv4}`])
    expect((await from(elsewhere)).status).toBe(200);
  const counted = await auth.sql(
    "select address, count(*)::int as n from client_credentials_grants where app_id = $1 group by 1 order by 2",
    [app.id],
  );
  const shown = network.replace(/:0+(?=[0-9a-f])/g, ":");
  expect(counted).toEqual([
    { address: "2001:db8:ffff:0::/64", n: 1 },
    { address: ipv4, n: 2 },
    { address: `${shown}::/64`, n: 30 },
  ]);
});

import { describe, expect, test } from "vitest";
import { withoutRequestId } from "../../support/api.ts";
import {
  type App,
  auth,
  basic,
  basicOf,
  expectError,
  inBody,
  randomAddress,
  times,
} from "../../support/oauth.ts";
import { workerLog } from "../../support/stack.ts";

const CHALLENGE = 'Basic realm="token endpoint", charset="UTF-8"';
const GRANT = "grant_type=client_credentials";

const header = (Authorization: string) => ({ headers: { Authorization }, address: randomAddress() });
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Sends credentials in the body, with a grant that fails only after the client is authenticated. */
const asking = (credentials: Record<string, string>) =>
  auth.token(
    { grant_type: "refresh_token", refresh_token: "rt_x", ...credentials },
    { address: randomAddress() },
  );

test("a client without credentials is refused (O50)", async () => {
  const half: Record<string, string>[] = [{}, { client_id: "a" }, { client_secret: "b" }];
  for (const credentials of [...half, { client_id: "", client_secret: "" }])
    expectError(await asking(credentials), 401, "invalid_client");
});

test("a wrong secret and an unknown client get the same refusal (O51, O52)", async () => {
  const app = await auth.createApp();
  const wrong = await asking({ ...inBody(app), client_secret: "wrong" });
  expectError(wrong, 401, "invalid_client");
  expect(wrong.headers["www-authenticate"]).toBe(CHALLENGE);
  const others = [
    await asking({ client_id: "nobody", client_secret: app.client_secret }),
    await auth.token(GRANT, header(`Basic ${base64("nobody:x")}`)),
    await auth.token(GRANT, { headers: basic(app.client_id, "wrong"), address: randomAddress() }),
  ];
  for (const { status, text, headers } of others)
    expect([status, withoutRequestId(text), headers["www-authenticate"]]).toEqual([
      401,
      withoutRequestId(wrong.text),
      CHALLENGE,
    ]);
});

test("a disabled app counts as an unknown client (O51)", async () => {
  const app = await auth.createApp();
  await auth.sql("update apps set disabled_at = now() where id = $1", [app.id]);
  expectError(await auth.ownToken(app, { address: randomAddress() }), 401, "invalid_client");
});

test("Basic credentials are form-encoded, then base64 (O53)", async () => {
  const mark = crypto.randomUUID();
  const app = await auth.createApp(`id:+%&= é ${mark}`, `secret:+%&= é ${mark}`);
  expect((await auth.ownToken(app, { address: randomAddress() })).status).toBe(200);
});

test("the encoding may be omitted without special characters (O54)", async () => {
  const app = await auth.createApp();
  const raw = base64(`${app.client_id}:${app.client_secret}`);
  expect((await auth.token(GRANT, header(`Basic ${raw}`))).status).toBe(200);
  expect((await auth.token(GRANT, header(`basic ${raw}`))).status).toBe(200);
});

describe("a malformed Basic header (O55)", () => {
  test.for<[string, (app: App) => string]>([
    ["bad base64", () => "Basic a:b"],
    ["base64 of bytes that are no UTF-8", () => `Basic ${Buffer.from([255, 58, 254]).toString("base64")}`],
    ["no colon", (app) => `Basic ${base64(app.client_id)}`],
    ["a bad percent escape", (app) => `Basic ${base64(`${app.client_id}:%zz`)}`],
    ["an empty id", (app) => `Basic ${base64(`:${app.client_secret}`)}`],
    ["an empty secret", (app) => `Basic ${base64(`${app.client_id}:`)}`],
    ["a NUL", (app) => `Basic ${base64(`${app.client_id}%00:${app.client_secret}`)}`],
    ["two spaces", (app) => `Basic  ${base64(`${app.client_id}:${app.client_secret}`)}`],
    ["the word alone", () => "Basic"],
    ["another word", (app) => `Bearer ${base64(`${app.client_id}:${app.client_secret}`)}`],
    ["10 kB", () => `Basic ${base64(`${"x".repeat(10_000)}:x`)}`],
  ])("%s is refused", async ([, make]) => {
    const answer = await auth.token(GRANT, header(make(await auth.createApp())));
    expectError(answer, 401, "invalid_client");
    expect(answer.headers["www-authenticate"]).toBe(CHALLENGE);
  });
});

test("400: credentials in both header and body (O56)", async () => {
  const app = await auth.createApp();
  const form = { grant_type: "refresh_token", refresh_token: "rt_x", ...inBody(app) };
  expectError(await auth.token(form, { headers: basicOf(app) }), 400, "invalid_request");
});

test("a client id in the body must match the header's (O57)", async () => {
  const [app, other] = await Promise.all([auth.createApp(), auth.createApp()]);
  const asked = { headers: basicOf(app), address: randomAddress() };
  const form = { grant_type: "client_credentials" };
  expectError(await auth.token({ ...form, client_id: other.client_id }, asked), 401, "invalid_client");
  expect((await auth.token({ ...form, client_id: app.client_id }, asked)).status).toBe(200);
});

test("credentials in the query are ignored, and no credential is logged (O58, X91)", async () => {
  const { app, form, tokens } = await auth.signedIn();
  const query = new URLSearchParams({ ...inBody(app), refresh_token: tokens.refresh_token });
  const sent = { grant_type: "refresh_token", refresh_token: tokens.refresh_token };
  const answer = await auth.send(`/oauth/token?${query}`, { form: sent, address: randomAddress() });
  expectError(answer, 401, "invalid_client");
  await auth.send(`/oauth/token?${query}`, { form, address: randomAddress() });
  await auth.ownToken(app, { address: randomAddress() });
  await auth.refresh(app, tokens.refresh_token);
  await auth.refresh(app, tokens.refresh_token);
  await auth.signOut(tokens.access_token);
  await expect
    .poll(workerLog)
    .toContainEqual(expect.objectContaining({ event: "token_replayed", app: app.client_id }));
  const logged = JSON.stringify(workerLog());
  expect(logged).toContain("/oauth/token");
  const secrets = [
    app.client_secret,
    form.code,
    form.code_verifier,
    tokens.refresh_token,
    tokens.access_token,
  ];
  for (const secret of secrets) expect(logged).not.toContain(secret);
});

test("a repeated parameter is refused (O59)", async () => {
  const { form } = await auth.createGrant();
  for (const name of ["client_id", "client_secret", "grant_type", "code", "redirect_uri", "code_verifier"]) {
    for (const value of [form[name as keyof typeof form], "", "other"]) {
      const twice = `${new URLSearchParams(form)}&${new URLSearchParams({ [name]: value })}`;
      expectError(await auth.token(twice), 400, "invalid_request");
    }
  }
  expect((await auth.token(form)).status).toBe(200);
});

test("the body must be declared as a form (O60)", async () => {
  const { app, tokens } = await auth.signedIn();
  const form = `${new URLSearchParams({ grant_type: "refresh_token", ...inBody(app), refresh_token: tokens.refresh_token })}`;
  const typed = (type: string, body = form) => auth.token(body, { headers: { "Content-Type": type } });
  expectError(
    await typed("application/json", JSON.stringify({ grant_type: "refresh_token" })),
    400,
    "invalid_request",
  );
  for (const type of [
    "text/plain",
    "",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencodedx",
  ])
    expectError(await typed(type), 400, "invalid_request");
  expectError(await auth.token(form, { headers: { "Content-Encoding": "gzip" } }), 400, "invalid_request");
  expect((await typed("Application/X-WWW-Form-URLEncoded ; charset=utf-8")).status).toBe(200);
});

test("an unknown grant type (O61)", async () => {
  const app = await auth.createApp();
  for (const grant_type of ["", undefined]) {
    const form = { ...inBody(app), ...(grant_type !== undefined && { grant_type }) };
    expectError(await auth.token(form), 400, "invalid_request");
  }
  const foreign = ["password", "implicit", "token", "Refresh_Token", "constructor", "__proto__", "toString"];
  for (const grant_type of [...foreign, "urn:ietf:params:oauth:grant-type:jwt-bearer"])
    expectError(await auth.token({ ...inBody(app), grant_type }), 400, "unsupported_grant_type");
});

test("405: the endpoints accept POST only (O63)", async () => {
  for (const path of ["/oauth/token", "/oauth/revoke", "/oauth/introspect", "/sign-out"]) {
    for (const method of ["GET", "PUT", "DELETE", "HEAD"]) {
      const answer = await auth.send(path, { method });
      expect([path, method, answer.status, answer.headers.allow]).toEqual([
        path,
        method,
        405,
        expect.stringMatching(/^POST\b/),
      ]);
    }
  }
});

test("413: bodies over 64 kB (O64)", async () => {
  const { form } = await auth.createGrant();
  const padded = (size: number) => {
    const text = `${new URLSearchParams(form)}&x=`;
    return text + "x".repeat(size - text.length);
  };
  const declared = { "Content-Length": "65537" };
  const refused = await auth.token("x", { headers: declared, endless: true });
  expectError(refused, 413, "invalid_request");
  expectError(await auth.token(padded(65_537), { endless: true }), 413, "invalid_request");
  expect((await auth.token(padded(65_536))).status).toBe(200);
});

describe("a malformed form (O65)", () => {
  test.for<[string, string | Uint8Array]>([
    ["a malformed escape", "&x=%zz"],
    ["a truncated escape", "&x=%"],
    ["an escape cut in half", "&x=%4"],
    ["an escape of bytes that are no UTF-8", "&x=%ff"],
    ["an overlong escape", "&x=%c0%af"],
    ["half a surrogate", "&x=%ed%a0%80"],
    ["raw bytes that are no UTF-8", Buffer.from([38, 120, 61, 255, 254])],
    ["NUL", "&x=%00"],
    ["a raw NUL", "&x=\0"],
    ["a name with a malformed escape", "&%zz=x"],
  ])("%s", async ([, added]) => {
    const { form } = await auth.createGrant();
    const body = Buffer.concat([Buffer.from(`${new URLSearchParams(form)}`), Buffer.from(added)]);
    expectError(await auth.token(body), 400, "invalid_request");
    expect((await auth.token(form)).status).toBe(200);
  });

  test("NUL never reaches the database", async () => {
    const { form } = await auth.createGrant();
    for (const name of Object.keys(form))
      expectError(await auth.token({ ...form, [name]: "a\0b" }), 400, "invalid_request");
    for (const path of ["/oauth/revoke", "/oauth/introspect"])
      expectError(await auth.send(path, { form: { ...form, token: "\0" } }), 400, "invalid_request");
  });

  test("unknown, empty and nested parameters are ignored", async () => {
    const { form } = await auth.createGrant();
    const odd =
      "&a[b]=c&code[x]=y&x[[=1&%5B%5D=2&scope=&=&&&display=popup&resource=x&__proto__=y&constructor=z";
    expect((await auth.token(`${new URLSearchParams(form)}${odd.replace("&code[x]=y", "")}`)).status).toBe(
      200,
    );
    const more = await auth.createGrant();
    expectError(await auth.token(`${new URLSearchParams(more.form)}&code[x]=y`), 400, "invalid_request");
  });
});

test("the time of a refusal reveals neither the secret nor whether the client exists (O52, O67)", async () => {
  const app = await auth.createApp();
  const flipped = (at: number) => {
    const changed = app.client_secret.at(at) === "A" ? "B" : "A";
    return app.client_secret.slice(0, at) + changed + app.client_secret.slice(at + 1);
  };
  const arms: [string, string][] = [
    [app.client_id, flipped(3)],
    [app.client_id, flipped(app.client_secret.length - 1)],
    ["n".repeat(32), app.client_secret],
  ];
  const samples: number[][] = arms.map(() => []);
  const edgeAddress = () => `203.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join(".")}`;
  const once = async (arm: number) => {
    const asked = { headers: basic(...(arms[arm] ?? ["", ""])), edgeAddress: edgeAddress() };
    const startedAt = performance.now();
    const { status } = await auth.token(GRANT, asked);
    samples[arm]?.push(performance.now() - startedAt);
    expect(status).toBe(401);
  };
  await times(20, (index) => once(index % 3));
  for (const sample of samples) sample.length = 0;
  // Shuffled each time, so that the machine's load affects all arms alike.
  for (let round = 0; round < 120; round++)
    for (const arm of [0, 1, 2].sort(() => Math.random() - 0.5)) await once(arm);
  const [first = [], last = [], unknown = []] = samples;
  expect(Math.abs(rankSum(first, last))).toBeLessThan(5);
  expect(Math.abs(rankSum(first, unknown))).toBeLessThan(5);
});

/** Mann and Whitney's z for the difference of two samples. Above 5 by chance in 1 of 1.7 million. */
function rankSum(some: number[], others: number[]): number {
  const sorted = [
    ...some.map((ms) => ({ ms, mine: true })),
    ...others.map((ms) => ({ ms, mine: false })),
  ].sort((a, b) => a.ms - b.ms);
  const ranks = sorted.reduce((sum, { mine }, index) => sum + (mine ? index + 1 : 0), 0);
  const [n, m] = [some.length, others.length];
  const u = ranks - (n * (n + 1)) / 2;
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

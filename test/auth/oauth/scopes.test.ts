import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import type { ReadUpload, Upload } from "../../../functions/api/uploads/representation.ts";
import { SCOPE_NAMES } from "../../../functions/lib/http/scopes.ts";
import { api } from "../../support/api.ts";
import { authorizePath, createClientApp, createVisitor, exchange, VERIFIER } from "../../support/consent.ts";
import { auth } from "../../support/oauth.ts";
import { type Operation, operations } from "../../support/operations.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack } from "../../support/tracks.ts";

interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

/** Walks a new user through consent. */
async function granted(scope: string | undefined) {
  const app = await createClientApp();
  const { user, browser } = await createVisitor("artist");
  const { parameters } = await browser.approve(authorizePath(app, { scope }));
  const tokens = (await (await exchange(app, parameters.get("code") ?? "")).json()) as Tokens;
  return { app, user, browser, tokens };
}

/** Sends what every operation accepts at first sight. Streams are left at their first byte. */
async function send(operation: Operation, token: string) {
  const body = operation.body("1");
  const reply = await fetch(stack.urls.api + operation.path("1") + operation.requiredQuery, {
    method: operation.method,
    redirect: "manual",
    headers: { Authorization: `OAuth ${token}`, ...(body && { "Content-Type": body.type }) },
    ...(body && { body: body.text }),
  });
  const isStream = reply.headers.get("Content-Type")?.startsWith("text/event-stream");
  if (isStream) await reply.body?.cancel();
  return { status: reply.status, headers: reply.headers, text: isStream ? "" : await reply.text() };
}

/** Both bodies of errors, the current and the older. */
const TOO_NARROW = /This needs (?:the scope|a token without limits)/;

const refusal = (scope: string) =>
  `OAuth realm="api", error="insufficient_scope", scope="${scope}", Bearer realm="api", error="insufficient_scope", scope="${scope}"`;

test("every operation that takes a token has one scope; every read has `read`", async () => {
  const guarded = (await operations()).filter(({ security }) => security);
  expect(guarded.length).toBeGreaterThan(140);
  for (const { name, method, scope } of guarded)
    expect([name, ["*", ...SCOPE_NAMES].includes(scope ?? ""), method !== "GET" || scope === "read"]).toEqual(
      [name, true, true],
    );
  for (const scope of SCOPE_NAMES) expect(guarded.some((one) => one.scope === scope)).toBe(true);
});

test.each(SCOPE_NAMES)(
  "%s: every other operation is 403 before any statement, its own are not",
  async (scope) => {
    const { tokens } = await granted(scope);
    expect(tokens.scope).toBe(scope);
    for (const operation of (await operations()).filter(({ security }) => security)) {
      const { status, headers, text } = await send(operation, tokens.access_token);
      const isOwn = operation.scope === scope;
      expect([operation.name, TOO_NARROW.test(text)]).toEqual([operation.name, !isOwn]);
      if (isOwn) continue;
      expect([operation.name, status, headers.get("WWW-Authenticate"), headers.get("Server-Timing")]).toEqual(
        [operation.name, 403, refusal(operation.scope ?? ""), null],
      );
    }
  },
);

test("a token that reads sees what its user sees, private tracks and streams included, and changes nothing", async () => {
  const { user, tokens } = await granted("read");
  const track = await createTrack(user, { sharing: "private" });
  const reader = api.as({ token: tokens.access_token });
  for (const path of ["/me", "/me/tracks", "/me/activities", "/me/webhooks", `/tracks/${track.id}`])
    expect([path, (await reader.get(path)).status]).toEqual([path, 200]);
  const refused = await reader.put<{ type: string; link: string }>(`/tracks/${track.id}`, {
    json: { track: { title: "changed" } },
  });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    {
      type: "insufficient-scope",
      link: expect.stringContaining("/docs/errors#insufficient-scope"),
      errors: [
        { error_message: expect.stringContaining("This needs the scope tracks, and your token has: read") },
      ],
    },
  ]);
  expect((await reader.delete(`/tracks/${track.id}`)).status).toBe(403);
  expect(await sql("select title from tracks where id = $1", [track.id])).not.toEqual([{ title: "changed" }]);
});

test("a token that writes tracks changes one and reads none", async () => {
  const { user, tokens } = await granted("tracks");
  const track = await createTrack(user);
  const writer = api.as({ token: tokens.access_token });
  const json = { track: { title: "changed" } };
  const changed = await writer.put<{ title: string }>(`/tracks/${track.id}`, { json });
  expect([changed.status, changed.body.title]).toEqual([200, "changed"]);
  expect((await writer.get(`/tracks/${track.id}`)).status).toBe(403);
});

test("a token that only reads gets no address to upload to, and one that may upload does", async () => {
  const { app, tokens } = await granted("read tracks");
  const narrowed = await auth.refresh(app, tokens.refresh_token, { scope: "read" });
  const [both, reader] = [tokens, narrowed.body].map(({ access_token: token }) => api.as({ token }));
  const json = { filename: "song.wav", type: "audio/wav", size: 1_000 };
  const opened = await both?.post<Upload>("/uploads", { json });
  const path = `/uploads/${opened?.body.id}`;
  const addresses = async (client: typeof both) => [
    (await client?.get<ReadUpload>(path))?.body.companion_url,
    (await client?.get<ReadUpload[]>("/uploads"))?.body[0]?.companion_url,
  ];
  const { companion_url } = opened?.body ?? {};
  expect(await addresses(both)).toEqual([companion_url, companion_url]);
  expect(await addresses(reader)).toEqual([null, null]);
});

test.each([
  [undefined, ""],
  ["", ""],
  ["*", "*"],
  ["read *", "*"],
])("the scope %j grants everything, apps included", async (asked, scope) => {
  const { tokens } = await granted(asked);
  expect([tokens.scope, decodeJwt(tokens.access_token).scope]).toEqual([scope, scope]);
  const holder = api.as({ token: tokens.access_token });
  const json = { name: "A name", redirect_uris: ["https://client.example/"] };
  expect((await holder.post("/me/apps", { json })).status).toBe(201);
  expect((await holder.put("/me", { json: { user: { description: "x" } } })).status).toBe(200);
});

test("several scopes come back once each, in one order", async () => {
  const { app, tokens } = await granted("social read  social");
  expect(tokens.scope).toBe("read social");
  const { body } = await auth.introspect(app, tokens.access_token);
  expect(body.scope).toBe("read social");
});

test("introspection tells what a narrowed access token may do, and the refresh token all of it", async () => {
  const { app, tokens } = await granted("read social");
  const { body } = await auth.refresh(app, tokens.refresh_token, { scope: "social" });
  expect((await auth.introspect(app, body.access_token)).body.scope).toBe("social");
  expect((await auth.introspect(app, body.refresh_token)).body.scope).toBe("read social");
});

test("the older token endpoint keeps the limits of a code and of a refresh token", async () => {
  const app = await createClientApp();
  const { browser } = await createVisitor();
  const { parameters } = await browser.approve(authorizePath(app, { scope: "read" }));
  const older = async (form: Record<string, string>) => {
    const client = { client_id: app.client_id, client_secret: app.client_secret };
    const body = new URLSearchParams({ ...client, ...form });
    const reply = await fetch(`${stack.urls.api}/oauth2/token`, { method: "POST", body });
    return (await reply.json()) as Tokens;
  };
  const code = parameters.get("code") ?? "";
  const redirect_uri = app.redirect_uri;
  const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: VERIFIER };
  const tokens = await older(form);
  expect([tokens.scope, decodeJwt(tokens.access_token).scope]).toEqual(["read", "read"]);

  const { app: other, tokens: current } = await granted("read");
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: other.client_id,
    client_secret: other.client_secret,
    refresh_token: current.refresh_token,
  });
  const refreshed = (await (
    await fetch(`${stack.urls.api}/oauth2/token`, { method: "POST", body })
  ).json()) as Tokens;
  expect([refreshed.scope, decodeJwt(refreshed.access_token).scope]).toEqual(["read", "read"]);
});

test("the page says what the app may do and what not, and the settings sum up all grants", async () => {
  const app = await createClientApp({ name: "Reader" });
  const { browser } = await createVisitor();
  const { text } = await browser.get(authorizePath(app, { scope: "read" }));
  const [may = "", mayNot = ""] = text.split("It will not be able to");
  expect(may).toContain("see your profile");
  expect(may).not.toContain("upload, import");
  expect(mayNot).toContain("upload, import");
  expect(mayNot).toContain("register apps in your name");
  const allowed = async () =>
    /Reader<\/strong>.*?<p class="hint">(.*?)<\/p>/.exec((await browser.get("/settings")).text)?.[1];
  await browser.approve(authorizePath(app, { scope: "read" }));
  expect(await allowed()).toMatch(/^May only see your profile.*count what you play\.$/);
  await browser.approve(authorizePath(app, { scope: "webhooks" }));
  expect(await allowed()).toMatch(/^May only see your profile.*; have us report/);
  await browser.approve(authorizePath(app));
  expect(await allowed()).toBe("May do everything.");
  await browser.approve(authorizePath(app, { scope: "read" }));
  expect(await allowed()).toBe("May do everything.");
});

import { expect, test } from "vitest";
import type { App, AppWithSecret, OwnApp } from "../../../functions/api/apps/representation.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createAppToken, createUser } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { shortWav, uploadTrack } from "../../support/tracks.ts";
import { CALLBACK, developer, ownToken, register } from "./apps.support.ts";

test("a developer registers an app; the reply alone shows its secret, which works", async () => {
  const ana = await developer();
  const { status, headers, body } = await register(ana, { external_url: "https://box.example/?a=b" });
  expect(status).toBe(201);
  expect(headers.get("Cache-Control")).toBe("private, no-store");
  expect(headers.get("Location")).toBe(body.uri);
  expect(body).toMatchObject({
    kind: "app",
    name: "Box Office",
    external_url: "https://box.example/?a=b",
    creator: ana.username,
    redirect_uris: [CALLBACK],
    previous_secret_expires_at: null,
  });
  expect((await ownToken(body, body.client_secret)).status).toBe(200);
  const { client_secret: _shownOnce, ...record } = body;
  const { body: listed } = await api.as(ana).get<OwnApp[]>("/me/apps");
  expect(listed).toEqual([record]);
  const stored = await sql("select a::text as row from apps a where id = $1", [body.id]);
  expect(JSON.stringify(stored)).not.toContain(body.client_secret);
});

test("any token may read an app's record with exactly the specified fields", async () => {
  const { body: app } = await register(await developer());
  for (const who of [await createUser(), await createAppToken()]) {
    const { status, body } = await api.as(who).get<App>(app.uri.slice(stack.urls.api.length));
    expect(status).toBe(200);
    expect(body).toEqual({
      id: app.id,
      kind: "app",
      name: "Box Office",
      uri: `${stack.urls.api}/apps/${app.id}`,
      permalink_url: app.permalink_url,
      external_url: null,
      creator: app.creator,
    });
  }
  expect((await api.get(`/apps/${app.id}`)).status).toBe(401);
});

test("404: an app that does not exist, is disabled or is our own", async () => {
  const who = await createUser();
  const { body: app } = await register(await developer());
  expect((await api.as(who).get("/apps/1")).status).toBe(404);
  expect((await api.as(who).get("/apps/99999999999999999999")).status).toBe(404);
  await sql("update apps set first_party = true where id = $1", [app.id]);
  expect((await api.as(who).get(`/apps/${app.id}`)).status).toBe(404);
  await sql("update apps set first_party = false, disabled_at = now() where id = $1", [app.id]);
  expect((await api.as(who).get(`/apps/${app.id}`)).status).toBe(404);
  expect((await fetch(app.permalink_url, { headers: { Accept: "text/html" } })).status).toBe(404);
});

test("an app has a page at its permalink, and a second one of the same name gets another", async () => {
  const name = `Größe & <b>${Date.now()}</b>`;
  const external_url = "https://box.example/x";
  const first = (await register(await developer(), { name, external_url })).body;
  const second = (await register(await developer(), { name })).body;
  expect(first.permalink_url).not.toBe(second.permalink_url);
  for (const app of [first, second]) {
    const reply = await fetch(app.permalink_url);
    expect([reply.status, reply.headers.get("X-Frame-Options")]).toEqual([200, "DENY"]);
    const page = await reply.text();
    expect(page).toContain("&lt;b&gt;");
    expect(page).not.toContain("<b>");
    expect(page).toContain(app.creator);
  }
  const numeric = (await register(await developer(), { name: "2024" })).body;
  expect(numeric.permalink_url).toMatch(/\/apps\/app-2024/);
  expect((await fetch(numeric.permalink_url)).status).toBe(200);
});

test("registering an app needs a paid plan (X95)", async () => {
  const { status, body } = await register(await createUser({ plan: "free" }));
  expect(status).toBe(403);
  expect((body as unknown as ErrorReply).errors[0]?.error_message).toContain("paid plan");
  expect((await register(await createUser({ plan: "artist-pro" }))).status).toBe(201);
});

test("an app's own token registers nothing, and a request without a token learns nothing", async () => {
  expect((await register(await createAppToken())).status).toBe(401);
  expect((await api.get("/me/apps")).status).toBe(401);
});

test.each([
  ["name", "", 422],
  ["name", "x".repeat(101), 422],
  ["name", "evil\u202egnp", 422],
  ["name", "nul\u0000", 422],
  ["name", 5, 422],
  ["name", undefined, 400],
  ["external_url", "javascript:alert(1)", 422],
  ["external_url", "box.example", 422],
  ["external_url", `https://box.example/${"x".repeat(2000)}`, 422],
])("%s %j is refused with %i", async (field, value, expected) => {
  expect((await register(await developer(), { [field as string]: value })).status).toBe(expected);
});

test("a rotated secret leaves the previous one valid for seven days and older ones invalid (O49)", async () => {
  const ana = await developer();
  const { body: app } = await register(ana);
  const rotate = () => api.as(ana).post<AppWithSecret>(`/me/apps/${app.id}/secret`);
  const { status, body: once } = await rotate();
  expect(status).toBe(200);
  expect(once.client_secret).not.toBe(app.client_secret);
  const until = Date.parse(
    once.previous_secret_expires_at?.replace(" +0000", "Z").replaceAll("/", "-") ?? "",
  );
  expect(Math.round((until - Date.now()) / 3_600_000)).toBe(7 * 24);
  expect((await ownToken(app, app.client_secret)).status).toBe(200);
  expect((await ownToken(app, once.client_secret)).status).toBe(200);
  const { body: twice } = await rotate();
  expect((await ownToken(app, app.client_secret)).status).toBe(401);
  expect((await ownToken(app, once.client_secret)).status).toBe(200);
  await sql("update apps set previous_secret_expires_at = now() where id = $1", [app.id]);
  expect((await ownToken(app, once.client_secret)).status).toBe(401);
  expect((await ownToken(app, twice.client_secret)).status).toBe(200);
});

test("deleting an app ends its tokens, and content created with it stays (O84)", async () => {
  const ana = await developer();
  const { body: app } = await register(ana);
  const { access_token } = (await (await ownToken(app, app.client_secret)).json()) as {
    access_token: string;
  };
  const track = await uploadTrack(ana, shortWav());
  await sql("update tracks set app_id = $1 where id = $2", [app.id, track.id]);
  expect((await api.as({ token: access_token }).get(`/tracks/${track.id}`)).status).toBe(200);
  const { status, body } = await api.as(ana).delete(`/me/apps/${app.id}`);
  expect([status, body]).toEqual([200, { status: "200 - OK" }]);
  expect((await api.as({ token: access_token }).get(`/tracks/${track.id}`)).status).toBe(401);
  expect((await ownToken(app, app.client_secret)).status).toBe(401);
  expect((await api.as(ana).get(`/tracks/${track.id}`)).status).toBe(200);
  expect((await api.as(ana).delete(`/me/apps/${app.id}`)).status).toBe(404);
});

test("an app whose tracks and sessions take longer than an ordinary statement may run is deleted too", async () => {
  const ana = await developer();
  const { body: app } = await register(ana);
  await sql(
    `create function deleted_slowly() returns trigger language plpgsql as 'begin perform pg_sleep(5.5); return old; end'`,
  );
  await sql(
    `create trigger deleted_slowly before delete on apps for each row when (old.id = ${app.id})
     execute function deleted_slowly()`,
  );
  try {
    expect((await api.as(ana).delete(`/me/apps/${app.id}`)).status).toBe(200);
  } finally {
    await sql("drop function deleted_slowly cascade");
  }
});

test("another user's app counts as missing: no secret, no deletion, in no list", async () => {
  const { body: app } = await register(await developer());
  const ben = await developer();
  expect((await api.as(ben).post(`/me/apps/${app.id}/secret`)).status).toBe(404);
  expect((await api.as(ben).delete(`/me/apps/${app.id}`)).status).toBe(404);
  expect((await api.as(ben).get("/me/apps")).body).toEqual([]);
  expect((await ownToken(app, app.client_secret)).status).toBe(200);
});

test("the list is paged like any other", async () => {
  const ana = await developer();
  for (const name of ["one", "two", "three"]) await register(ana, { name });
  const first = await api
    .as(ana)
    .get<{ collection: OwnApp[]; next_href: string }>("/me/apps?limit=2&linked_partitioning=true");
  expect(first.body.collection.map(({ name }) => name)).toEqual(["three", "two"]);
  const second = await api.as(ana).get<{ collection: OwnApp[] }>(first.body.next_href);
  expect(second.body.collection.map(({ name }) => name)).toEqual(["one"]);
  expect(second.body).not.toHaveProperty("next_href");
});

test("a public app has no secret, now or later, and its type stays", async () => {
  const ana = await developer();
  const { status, body: app } = await register(ana, { client_type: "public" });
  expect([status, app.client_type, Object.hasOwn(app, "client_secret")]).toEqual([201, "public", false]);
  expect((await api.as(ana).get<OwnApp[]>("/me/apps")).body).toEqual([app]);
  const rotated = await api.as(ana).post<ErrorReply>(`/me/apps/${app.id}/secret`);
  expect([rotated.status, rotated.body.errors[0]?.error_message]).toEqual([
    409,
    "A public app has no secret",
  ]);
  const [stored] = await sql("select secret_hash, previous_secret_hash from apps where id = $1", [app.id]);
  expect(stored).toEqual({ secret_hash: null, previous_secret_hash: null });
  for (const client_type of ["native", "", null])
    expect((await register(ana, { client_type })).status, String(client_type)).toBe(422);
  expect((await register(ana)).body.client_type).toBe("confidential");
});

test("a repeated registration of a public app is one app", async () => {
  const ana = await developer();
  const json = { name: "Twice", redirect_uris: [CALLBACK], client_type: "public" };
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const [first, again] = [
    await api.as(ana).post<OwnApp>("/me/apps", { json, headers }),
    await api.as(ana).post<OwnApp>("/me/apps", { json, headers }),
  ];
  expect([again.status, again.body]).toEqual([201, first.body]);
});

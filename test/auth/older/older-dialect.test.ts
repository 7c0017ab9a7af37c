import { beforeAll, expect, test } from "vitest";
import { type ClientApp, createClientApp } from "../../support/consent.ts";
import { createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack, workerLog } from "../../support/stack.ts";
import { createPlayableTrack, uploadFinishedTrack, words } from "../../support/tracks.ts";

let ana: Person;
let app: ClientApp;
let trackPath: string;
let privatePath: string;

beforeAll(async () => {
  ana = await createUser();
  app = await createClientApp();
  trackPath = `/tracks/${(await uploadFinishedTrack(ana)).id}`;
  privatePath = `/tracks/${(await uploadFinishedTrack(ana, { sharing: "private" })).id}`;
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(stack.urls.api + path, { redirect: "manual", ...init });
const form = (fields: Record<string, string>): RequestInit => ({
  method: "POST",
  body: new URLSearchParams(fields),
});

function expectOlder(reply: Response): void {
  expect(reply.headers.get("Deprecation")).toMatch(/^@\d+$/);
  expect(reply.headers.get("Sunset")).not.toBeNull();
  expect(reply.headers.get("Link")).toContain('rel="deprecation"');
}

test("an operation that another one replaces says so and has no end, also when it refuses", async () => {
  const headers = { Authorization: `OAuth ${ana.token}` };
  for (const path of ["/me/favorites", `${trackPath}/stream`, "/tracks/1/stream"]) {
    const reply = await ask(path, { headers });
    const fields = ["Deprecation", "Sunset", "Link"].map((name) => reply.headers.get(name));
    expect([path, ...fields]).toEqual([
      path,
      "@1738368000",
      null,
      expect.stringContaining(`<${stack.urls.api}/docs/older-clients>; rel="deprecation"`),
    ]);
  }
  expect((await ask("/me/likes/tracks", { headers })).headers.get("Deprecation")).toBeNull();
});

test("a client id under either name reads public data, and replies are not cacheable", async () => {
  for (const name of ["client_id", "consumer_key"]) {
    const reply = await ask(`${trackPath}?${name}=${app.client_id}`);
    expect(reply.status).toBe(200);
    expectOlder(reply);
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
    expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
    expect(await reply.json()).not.toHaveProperty("secret_token");
  }
  expect((await ask(`${trackPath}/streams?client_id=${app.client_id}`)).status).toBe(200);
});

test("a client id reads nothing private, acts for no user and writes nothing", async () => {
  const id = app.client_id;
  expect((await ask(`${privatePath}?client_id=${id}`)).status).toBe(404);
  expect((await ask(`/me?client_id=${id}`)).status).toBe(401);
  expect((await ask("/tracks", form({ client_id: id, "track[title]": "x" }))).status).toBe(401);
  expect((await ask(`/uploads?client_id=${id}`, { method: "POST" })).status).toBe(401);
});

test.each(["", "unknown", "\0", "é", "x".repeat(5000), "' or 1=1"])(
  "the client id %j is refused without a fault",
  async (id) =>
    expect((await ask(`${trackPath}?${new URLSearchParams({ client_id: id })}`)).status).toBe(401),
);

test("an unknown or malformed client id is named as the error", async () => {
  const readError = async (id: string) => {
    const reply = await ask(`${trackPath}?${new URLSearchParams({ client_id: id })}`);
    const { errors } = (await reply.json()) as { errors: { error_message: string }[] };
    return [reply.status, errors[0]?.error_message];
  };
  expect(await readError("unknown")).toEqual([401, "client_id: there is no such app, or it is disabled"]);
  expect(await readError("é")).toEqual([401, expect.stringContaining("client_id")]);
});

test("a disabled app's client id is refused", async () => {
  const gone = await createClientApp();
  await sql("update apps set disabled_at = now() where id = $1", [gone.id]);
  expect((await ask(`${trackPath}?client_id=${gone.client_id}`)).status).toBe(401);
});

test("oauth_token in the query acts as its user, with or without a client id", async () => {
  for (const more of ["", `&client_id=${app.client_id}`, "&client_id=unknown"]) {
    const reply = await ask(`/me?oauth_token=${ana.token}${more}`);
    expect(reply.status).toBe(200);
    expectOlder(reply);
    expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
    expect(((await reply.json()) as { id: number }).id).toBe(ana.id);
  }
  expect((await ask(`${privatePath}?oauth_token=${ana.token}`)).status).toBe(200);
});

test("oauth_token in a form acts as its user, and the handler still reads the form", async () => {
  const reply = await ask("/tracks", form({ oauth_token: ana.token }));
  expect(reply.status).toBe(400);
  expect(await reply.json()).toEqual({ errors: [{ error_message: expect.stringContaining("track") }] });
  expectOlder(reply);
});

test("an invalid oauth_token does not fall back on the client id beside it", async () => {
  for (const bad of ["x", "", ana.token.slice(0, -4)]) {
    const reply = await ask(`${trackPath}?oauth_token=${bad}&client_id=${app.client_id}`);
    expect(reply.status).toBe(401);
    expect(reply.headers.get("WWW-Authenticate")).toContain('error="invalid_token"');
  }
});

test("the header decides the user; a query credential beside it only selects the dialect (O101)", async () => {
  const ben = await createUser();
  const header = { Authorization: `OAuth ${ana.token}` };
  const reply = await ask(`/me?oauth_token=${ben.token}&client_id=x`, { headers: header });
  expect(((await reply.json()) as { id: number }).id).toBe(ana.id);
  expectOlder(reply);
  const bad = await ask(`/me?oauth_token=${ana.token}`, { headers: { Authorization: "OAuth junk" } });
  expect(bad.status).toBe(401);
});

test("errors have the older body and its headers", async () => {
  const reply = await ask(`/tracks/1?client_id=${app.client_id}`);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toEqual({ errors: [{ error_message: "404 - Not Found" }] });
  expect(reply.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(reply.headers.get("Access-Control-Allow-Methods")).toBe("GET, PUT, POST, DELETE");
  expect(reply.headers.get("Access-Control-Allow-Headers")).toBe("Authorization, Content-Type, Accept");
  const current = await ask("/tracks/1", { headers: { Authorization: `OAuth ${ana.token}` } });
  expect(await current.json()).toMatchObject({ code: 404, error: null });
  expect(current.headers.get("Deprecation")).toBeNull();
});

test("every reply of the older host uses the older dialect", async () => {
  const reply = await fetch(`${stack.urls.older}/tracks/1.json`, {
    headers: { Authorization: `OAuth ${ana.token}` },
  });
  expect(await reply.json()).toEqual({ errors: [{ error_message: "404 - Not Found" }] });
  expectOlder(reply);
});

test("a trailing slash changes nothing, because many clients send it", async () => {
  const key = `client_id=${app.client_id}`;
  const list = (await (await ask(`/tracks/?${key}&limit=1&linked_partitioning=1`)).json()) as {
    next_href: string;
  };
  expect(await (await fetch(list.next_href)).json()).toMatchObject({ collection: [{ kind: "track" }] });
  const to = encodeURIComponent(`${stack.urls.api}${trackPath}`);
  const resolved = await ask(`/resolve/?url=${to}&${key}`);
  expect(resolved.headers.get("Location")).toBe(`${stack.urls.api}${trackPath}?${key}`);
  expect((await ask(`/oembed/?url=${to}`)).status).toBe(200);
  const preflight = await ask(`${trackPath}/comments/`, { method: "OPTIONS" });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
  const comment = form({ oauth_token: ana.token, "comment[body]": "heard" });
  expect((await ask(`${trackPath}/comments/`, comment)).status).toBe(201);
  for (const path of ["/oauth2/token/", "/oauth/token/"])
    expect([path, await (await ask(path, form({}))).json()]).toEqual([
      path,
      expect.objectContaining({ error: "invalid_request" }),
    ]);
  expect((await ask(`/connect/?${key}&response_type=code`)).headers.get("Content-Type")).toContain(
    "text/html",
  );
  expect((await ask(`${trackPath}//?${key}`)).status).toBe(404);
});

test("on the older host a form may request JSON, before or after its credential", async () => {
  const typeOf = async (path: string, body: URLSearchParams | FormData, method = "POST") => {
    const reply = await fetch(stack.urls.older + path, { method, body });
    return [reply.status, reply.headers.get("Content-Type")?.split(";")[0]];
  };
  const [json, xml] = ["application/json", "application/xml"];
  const token = { oauth_token: ana.token };
  const liked = trackPath.replace("/tracks", "/me/favorites");
  const named = new URLSearchParams({ ...token, format: "json" });
  for (const path of [liked, `${liked}?oauth_token=${ana.token}`]) {
    for (const method of ["PUT", "DELETE"]) expect(await typeOf(path, named, method)).toEqual([200, json]);
    expect(await typeOf(path, new URLSearchParams(token), "PUT")).toEqual([200, xml]);
  }
  expect(await typeOf(`${liked}?format=xml`, named, "PUT")).toEqual([200, xml]);
  expect(await typeOf("/me/favorites/1", named, "PUT")).toEqual([404, json]);
  const upload = new FormData();
  upload.append("track[title]", "Sent by an older client");
  upload.append("track[asset_data]", words(), "a.wav");
  upload.append("format", "json");
  expect(await typeOf(`/tracks?oauth_token=${ana.token}`, upload)).toEqual([201, json]);
});

test("query credentials are never logged, and the site's cookie opens no API (X70, X91)", async () => {
  const token = await tokenOf(ana.app, ana.username);
  await ask(`/me?oauth_token=${token}`);
  await ask(`/nothing?oauth_token=${token}`);
  await ask("/tracks", form({ oauth_token: token }));
  const log = JSON.stringify(workerLog());
  for (const part of token.split(".")) expect(log).not.toContain(part);
});

test("GET and HEAD /tracks/{id}/stream redirect to the MP3, with header or query credentials", async () => {
  const path = `${trackPath}/stream`;
  for (const method of ["GET", "HEAD"]) {
    for (const [query, init] of [
      [`client_id=${app.client_id}`, {}],
      [`oauth_token=${ana.token}`, {}],
      [`client_id=${app.client_id}`, { headers: { Authorization: `OAuth ${ana.token}` } }],
    ] as const) {
      const reply = await ask(`${path}?${query}`, { method, ...init });
      expect(reply.status).toBe(302);
      expectOlder(reply);
      const location = reply.headers.get("Location") ?? "";
      expect(location).toMatch(/\/audio\.mp3$/);
      const media = await fetch(location, { method });
      expect([media.status, media.headers.get("Content-Type")]).toEqual([200, "audio/mpeg"]);
      const body = await reply.text();
      if (method === "GET") expect(JSON.parse(body)).toEqual({ status: "302 - Found", location });
    }
  }
  const current = await ask(path, { headers: { Authorization: `OAuth ${ana.token}` } });
  expect(current.status).toBe(200);
  expect((await ask(`${privatePath}/stream?client_id=${app.client_id}`)).status).toBe(404);
});

test("the redirect of a preview leads to the preview", async () => {
  const { id } = await createPlayableTrack(ana, { paywall: "preview" });
  const reply = await ask(`/tracks/${id}/stream?client_id=${app.client_id}`);
  expect([reply.status, reply.headers.get("Location")]).toEqual([
    302,
    expect.stringMatching(/\/preview\.mp3$/),
  ]);
});

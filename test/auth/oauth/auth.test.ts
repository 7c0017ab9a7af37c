import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { asking, CHALLENGE, expectRefused, INVALID } from "../../lib/http/refusals.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { createApp, createAppToken, createUser, type Person, tokenOf } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";

let ana: Person;
let track: StoredTrack;
let app: { token: string };

interface Document {
  paths: Record<string, Record<string, { security?: Record<string, unknown>[] }>>;
}

beforeAll(async () => {
  [ana, app] = await Promise.all([createUser(), createAppToken()]);
  track = await createTrack(ana);
});

describe("the header", () => {
  test("missing gets challenges with both schemes and no error (O95)", async () => {
    for (const path of ["/me", "/me/tracks", "/uploads", `/tracks/${track.id}`, `/tracks/${track.id}/stream`])
      await expectRefused(path, {}, CHALLENGE);
  });

  test("401 comes before 404, 400 and 422", async () => {
    for (const path of [
      "/tracks/abc",
      "/me/tracks?limit=0",
      "/uploads/0",
      "/tracks/1?secret_token=a&secret_token=b",
    ])
      await expectRefused(path, {}, CHALLENGE);
    const posted = await api.post<ErrorReply>("/tracks", {
      raw: "{",
      headers: { "Content-Type": "application/json" },
    });
    expect(posted.status).toBe(401);
  });

  test.for(["OAuth", "oauth", "Bearer", "bEaReR"])("with the scheme %s is accepted (O96)", async (word) => {
    expect((await asking("/me", { Authorization: `${word} ${ana.token}` })).status).toBe(200);
  });

  test.for<[string, (token: string) => string]>([
    ["the word alone", () => "OAuth"],
    ["the token alone", (token) => token],
    ["two spaces", (token) => `OAuth  ${token}`],
    ["two tokens", (token) => `OAuth ${token} ${token}`],
    ["the word Token", (token) => `Token ${token}`],
    ["Basic", () => `Basic ${btoa("id:secret")}`],
    ["a list", (token) => `OAuth ${token}, Bearer ${token}`],
    ["a parameter", (token) => `OAuth token="${token}"`],
    ["10 kB", () => `OAuth ${"x".repeat(10_240)}`],
    ["bytes that are no ASCII", () => "OAuth \u00e9\u00ff"],
  ])("with %s is refused (O97)", async ([, header]) => {
    await expectRefused("/me", { Authorization: header(ana.token) });
  });

  test("cannot be replaced by a token in the query or the form (O100)", async () => {
    for (const name of ["access_token", "token"]) {
      expect((await asking(`/me?${name}=${ana.token}`, {})).status).toBe(401);
      expect((await api.post("/tracks", { form: { [name]: ana.token, "track[title]": "x" } })).status).toBe(
        401,
      );
    }
  });

  test("takes precedence over the query (O101)", async () => {
    const other = await createUser();
    const { body } = await api
      .as(ana)
      .get<{ id: number }>(`/me?oauth_token=${other.token}&access_token=${other.token}`);
    expect(body.id).toBe(ana.id);
    expect((await asking(`/me?oauth_token=${ana.token}`, { Authorization: "OAuth junk" })).status).toBe(401);
  });

  test("cannot be replaced by a cookie (X70)", async () => {
    const cookies = ["token", "access_token", "session", "Authorization"].map(
      (name) => `${name}=${ana.token}`,
    );
    await expectRefused("/me", { Cookie: cookies.join("; ") }, CHALLENGE);
  });
});

describe("a token revoked before its expiry is refused at the next request", () => {
  const reads = async (who: { token: string }) =>
    Promise.all(
      ["/me", "/me/tracks", `/tracks/${track.id}`, `/tracks/${track.id}/streams`, "/uploads"].map(
        async (path) => (await api.as(who).get(path)).status,
      ),
    );
  const LIVE = [200, 200, 200, 404, 200];
  const DEAD = [401, 401, 401, 401, 401];

  test("after its session is revoked, and no other", async () => {
    const ben = await createUser();
    const elsewhere = { token: await tokenOf(ben.app, ben.username) };
    expect(await reads(ben)).toEqual(LIVE);
    await sql("update sessions set revoked_at = now() where id = $1", [decodeJwt(ben.token).sid]);
    expect(await reads(ben)).toEqual(DEAD);
    const refused = await api.as(ben).get("/me");
    expect(refused.headers.get("WWW-Authenticate")).toBe(INVALID);
    expect(await reads(elsewhere)).toEqual(LIVE);
  });

  test("after its session expired", async () => {
    const ben = await createUser();
    await sql("update sessions set expires_at = now() where id = $1", [decodeJwt(ben.token).sid]);
    expect(await reads(ben)).toEqual(DEAD);
  });

  test("after its app was disabled, for users and for the app itself (X23)", async () => {
    const granted = await createApp();
    const ben = await createUser({ app: granted });
    const own = { token: await tokenOf(granted) };
    expect(await reads(ben)).toEqual(LIVE);
    await sql("update apps set disabled_at = now() where id = $1", [granted.id]);
    expect(await reads(ben)).toEqual(DEAD);
    expect((await api.as(own).get(`/tracks/${track.id}`)).status).toBe(401);
    await sql("update apps set disabled_at = null where id = $1", [granted.id]);
    expect(await reads(ben)).toEqual(LIVE);
  });

  test("after its user was disabled or deleted", async () => {
    const ben = await createUser();
    await sql("update users set disabled_at = now() where id = $1", [ben.id]);
    expect(await reads(ben)).toEqual(DEAD);
    const cleo = await createUser();
    await sql("delete from users where id = $1", [cleo.id]);
    expect(await reads(cleo)).toEqual(DEAD);
  });

  test("on writes too, which have no effect", async () => {
    const ben = await createUser();
    await sql("update sessions set revoked_at = now() where user_id = $1", [ben.id]);
    const json = { filename: "a.wav", size: 10, type: "audio/wav" };
    expect((await api.as(ben).post("/uploads", { json })).status).toBe(401);
    expect(
      (await api.as(ben).post("/tracks", { json: { track: { title: "x", upload_id: 1 } } })).status,
    ).toBe(401);
    expect(await sql("select 1 from uploads where user_id = $1", [ben.id])).toEqual([]);
  });
});

test("an app's own token is refused on every operation that needs a user (O102, X22)", async () => {
  const document = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({ path, method, security })),
  );
  const ofUsers = operations.filter(
    ({ security = [] }) => security.length > 0 && security.every((one) => "user" in one),
  );
  expect(ofUsers.length).toBeGreaterThan(7);
  for (const { path, method } of ofUsers) {
    const send = api.as(app)[method as "get" | "post" | "delete"];
    const reply = await send<ErrorReply>(
      path.replace(/\{\w+\}/g, "1"),
      method === "post" ? { json: {} } : {},
    );
    expect([method, path, reply.status, reply.headers.get("WWW-Authenticate")]).toEqual([
      method,
      path,
      401,
      INVALID,
    ]);
    expect(reply.body.errors[0]?.error_message).toContain("client credentials");
    expect(reply.headers.get("Server-Timing")).toBeNull();
  }
});

test("a read is one statement, including the session check", async () => {
  for (const path of [
    "/me",
    "/me/tracks",
    `/tracks/${track.id}`,
    `/tracks/${track.id}/streams`,
    `/tracks/${track.id}/stream`,
    "/uploads",
  ]) {
    const { headers } = await api.as(ana).get(path);
    expect([path, headers.get("Server-Timing")]).toEqual([path, expect.stringContaining("queries: 1")]);
  }
});

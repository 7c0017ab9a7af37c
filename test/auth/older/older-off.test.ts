import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "../../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../../workers/local/stack/stack.ts";
import { fillDataDir } from "../../support/data-dir.ts";
import { AuthServer } from "../../support/oauth.ts";
import { shortWav } from "../../support/tracks.ts";

let off: Stack;
let dataDir: string;
let auth: AuthServer;
let token: string;
let clientId: string;
let trackId: number;
let permalinkUrl: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "soundpost-older-off-"));
  const env = { OLDER_BEHAVIOUR: "off" };
  await fillDataDir(dataDir);
  off = await startStack({
    port: await freePorts(3),
    dataDir,
    log: () => {},
    env,
    crons: false,
    transcoders: 1,
  });
  auth = new AuthServer(off);
  const { app, tokens } = await auth.signedIn();
  [token, clientId] = [tokens.access_token, app.client_id];
  const form = new FormData();
  form.set("track[title]", "A song");
  form.set("track[asset_data]", shortWav(), "song.wav");
  const made = await ask("/tracks", { method: "POST", body: form, headers: byHeader() });
  ({ id: trackId, permalink_url: permalinkUrl } = (await made.json()) as Track);
  while ((await track()).state !== "finished") await sleep(50);
});

afterAll(async () => {
  await off.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (path: string, init?: RequestInit) => fetch(off.urls.api + path, { redirect: "manual", ...init });

interface Track {
  id: number;
  state: string;
  permalink_url: string;
}

const byHeader = (): Record<string, string> => ({ Authorization: `OAuth ${token}` });

const track = async () => (await (await ask(`/tracks/${trackId}`, { headers: byHeader() })).json()) as Track;

/** Expects no sign of the older dialect. */
function expectCurrent(reply: Response): void {
  expect(reply.headers.get("Sunset")).toBeNull();
  expect(reply.headers.get("Content-Type")).toMatch(/^application\/json/);
}

/** Older clients name themselves in the query and may send a token in the header. */
const OLDER_QUERIES = () => [`client_id=${clientId}`, `consumer_key=${clientId}`, `oauth_token=${token}`];

test("410: the older endpoints if older behaviour is off (O110)", async () => {
  const connect = await ask(
    "/connect?client_id=x&redirect_uri=https://client.example/cb&response_type=token",
  );
  expect(connect.status).toBe(410);
  expect(connect.headers.get("Content-Type")).toMatch(/^text\/html/);
  expect(connect.headers.get("Location")).toBeNull();
  expect(connect.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");

  const token = await ask("/oauth2/token", {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  expect(token.status).toBe(410);
  expect(await token.json()).toMatchObject({ code: 410, message: "410 - Gone" });
  for (const reply of [connect, token]) {
    expect(reply.headers.get("Deprecation")).toMatch(/^@\d+$/);
    expect(reply.headers.get("Sunset")).not.toBeNull();
  }
});

test("credentials in query and form are ignored if older behaviour is off (O100, O110)", async () => {
  for (const name of ["client_id", "consumer_key", "oauth_token", "access_token"]) {
    for (const init of [undefined, { method: "POST", body: new URLSearchParams({ [name]: "x" }) }]) {
      const reply = await ask(init ? "/tracks" : `/tracks/1?${name}=x`, init);
      expect(reply.status).toBe(401);
      expect(await reply.json()).toMatchObject({ code: 401, error: null });
      expect(reply.headers.get("WWW-Authenticate")).not.toContain("error=");
      expect(reply.headers.get("Deprecation")).toBeNull();
    }
  }
});

test.each(["password", "implicit", "token"])(
  "the current token endpoint has no grant %s (O110)",
  async (grant_type) => {
    const reply = await ask("/oauth/token", { method: "POST", body: new URLSearchParams({ grant_type }) });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: "unsupported_grant_type" });
  },
);

test("older behaviour off: a valid token or client id in a query opens nothing", async () => {
  for (const query of OLDER_QUERIES()) {
    for (const path of [`/tracks/${trackId}`, `/tracks/${trackId}/streams`, "/me", "/tracks"]) {
      const reply = await ask(`${path}?${query}`);
      expect([path, reply.status]).toEqual([path, 401]);
      expectCurrent(reply);
    }
  }
  const written = await ask("/tracks", {
    method: "POST",
    body: new URLSearchParams({ oauth_token: token, "track[title]": "x" }),
  });
  expect(written.status).toBe(401);
});

test("older behaviour off: a query credential beside the header decides neither user nor dialect", async () => {
  const other = await auth.signedIn();
  const reply = await ask(`/me?oauth_token=${other.tokens.access_token}&client_id=${clientId}`, {
    headers: byHeader(),
  });
  expect(reply.status).toBe(200);
  expectCurrent(reply);
  expect(((await reply.json()) as Track).id).not.toBe(other.userId);
});

test("older behaviour off: resolve returns the full resource without a redirect", async () => {
  const url = encodeURIComponent(permalinkUrl);
  for (const more of ["", ...OLDER_QUERIES(), "_status_code_map[302]=200"]) {
    const reply = await ask(`/resolve?url=${url}&${more}`, { headers: byHeader() });
    expect([reply.status, reply.headers.get("Location")]).toEqual([200, null]);
    expectCurrent(reply);
    expect(await reply.json()).toMatchObject({ kind: "track", id: trackId });
  }
});

test("older behaviour off: stream returns the links without a redirect", async () => {
  for (const more of ["", ...OLDER_QUERIES()]) {
    const reply = await ask(`/tracks/${trackId}/stream?${more}`, { headers: byHeader() });
    expect([reply.status, reply.headers.get("Location")]).toEqual([200, null]);
    expectCurrent(reply);
    expect(await reply.json()).toMatchObject({ http_mp3_128_url: expect.any(String) });
    const head = await ask(`/tracks/${trackId}/stream?${more}`, { method: "HEAD", headers: byHeader() });
    expect(head.status).toBe(200);
  }
});

test("older behaviour off: errors have the specification's object, on the older host too", async () => {
  for (const base of [off.urls.api, off.urls.older]) {
    for (const more of ["", ...OLDER_QUERIES()]) {
      const reply = await fetch(`${base}/tracks/1?${more}`, { headers: byHeader() });
      expect(reply.status).toBe(404);
      expectCurrent(reply);
      expect(await reply.json()).toMatchObject({ code: 404, message: "404 - Not Found", error: null });
    }
  }
});

test("older behaviour off: the older host returns JSON, and XML on request", async () => {
  const plain = await fetch(`${off.urls.older}/tracks/${trackId}`, { headers: byHeader() });
  expect(plain.status).toBe(200);
  expectCurrent(plain);
  const xml = await fetch(`${off.urls.older}/tracks/${trackId}.xml`, { headers: byHeader() });
  expect([xml.status, xml.headers.get("Content-Type")]).toEqual([
    200,
    expect.stringMatching(/^application\/xml/),
  ]);
});

test.each(["password", "client_credentials", "authorization_code", "refresh_token"])(
  "older behaviour off: 410 for %s at the older token endpoint, even with valid credentials",
  async (grant_type) => {
    const app = await auth.createApp();
    const { client_id, client_secret } = app;
    const reply = await ask("/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type, client_id, client_secret, scope: "non-expiring" }),
    });
    expect(reply.status).toBe(410);
    expect(await reply.text()).not.toContain("access_token");
  },
);

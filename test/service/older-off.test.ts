import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePorts } from "../../workers/local/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack.ts";

let off: Stack;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "soundpost-older-off-"));
  const env = { OLDER_BEHAVIOUR: "off" };
  off = await startStack({ port: await freePorts(3), dataDir, log: () => {}, env, crons: false });
});

afterAll(async () => {
  await off.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = (path: string, init?: RequestInit) => fetch(off.urls.api + path, { redirect: "manual", ...init });

test("O110: where older behaviour is off, its entrances are gone and say so", async () => {
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

test("O100: O110: where older behaviour is off, credentials in query and form are as if they were not there", async () => {
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
  "O110: the current token endpoint knows no grant %s",
  async (grant_type) => {
    const reply = await ask("/oauth/token", { method: "POST", body: new URLSearchParams({ grant_type }) });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: "unsupported_grant_type" });
  },
);

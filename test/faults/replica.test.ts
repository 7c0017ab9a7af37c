import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mediaToken } from "../../functions/api/media/token.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { commandLineOf } from "../../workers/local/stack/processes.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { createTrack } from "../lib/http/requests.support.ts";
import { fillBundle } from "../support/data-dir.ts";
import { AuthServer } from "../support/oauth.ts";
import { STORED_MEDIA } from "../support/tracks.ts";

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-replica-"));
/** How far the replica is held back. */
const DELAY_S = 5;

let stack: Stack;
let auth: AuthServer;
let commits: NodeJS.Timeout;
/** An app's own token, and a user whose links it reads. */
let app: string;
let user: { userId: number; tokens: { access_token: string } };

beforeAll(async () => {
  // The database is new, so that the replica has no tables at first.
  await fillBundle(dataDir);
  const options = { port: await freePorts(3), dataDir, crons: false, transcoders: 0, log: () => {} };
  stack = await startStack({ ...options, replica: { delayS: DELAY_S } });
  auth = new AuthServer(stack);
  // Others' writes, whose commits tell how far the replica is.
  commits = setInterval(() => void auth.sql("select pg_current_xact_id()").catch(() => {}), 500);
  user = await auth.signedIn();
  const link = "insert into web_profiles (user_id, place, service, title, url) values ($1, 0, '', 'Old', '')";
  await auth.sql(link, [user.userId]);
  // Last, so that a replica that knows the session knows all this.
  app = (await auth.ownToken(await auth.createApp())).body.access_token;
});
afterAll(async () => {
  clearInterval(commits);
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const links = async (id = user.userId, token = app) => {
  const headers = { Authorization: `OAuth ${token}` };
  const reply = await fetch(`${stack.urls.api}/users/${id}/web-profiles`, { headers });
  return { status: reply.status, text: await reply.text() };
};

/** Requests that primary and replica get while `during` runs. */
async function requestsOf(during: () => Promise<unknown>): Promise<number[]> {
  const at = async (proxyUrl = "") =>
    (await (await fetch(new URL("stats", proxyUrl))).json()) as { requests: number };
  const both = () => Promise.all([at(stack.proxyUrl), at(stack.replica?.proxyUrl)]);
  const before = await both();
  await during();
  return (await both()).map(({ requests }, side) => requests - (before[side]?.requests ?? 0));
}

const WITHIN = { interval: 200 };

/** Waits until the replica alone answers. */
const settled = (ask: () => Promise<unknown> = links) =>
  expect.poll(() => requestsOf(ask), WITHIN).toEqual([0, 1]);

test("readers without a user see a change late, and users at once", async () => {
  await settled();
  await auth.sql("update web_profiles set title = 'New' where user_id = $1", [user.userId]);
  expect((await links()).text).toContain("Old");
  expect((await links(user.userId, user.tokens.access_token)).text).toContain("New");
  await expect.poll(async () => (await links()).text, WITHIN).toContain("New");
});

test("no program of the stack has a secret among its arguments, which all users of the machine can read", () => {
  const secrets = Object.values(stack.secrets);
  const programs = Object.entries(stack.pids()).map(([name, pid]) => ({ name, command: commandLineOf(pid) }));
  expect(programs.map(({ name }) => name)).toEqual(expect.arrayContaining(["postgres", "replica"]));
  expect(programs.filter(({ command }) => command === "")).toEqual([]);
  expect(programs.filter(({ command }) => secrets.some((one) => command.includes(one)))).toEqual([]);
});

test("what the replica lacks is asked of the primary: a user, and a session", async () => {
  const found = async () => expect((await links(await auth.createUser())).status).toBe(200);
  expect(await requestsOf(found)).toEqual([1, 1]);
  const { body } = await auth.ownToken(await auth.createApp());
  expect((await links(user.userId, body.access_token)).status).toBe(200);
});

test("public media go to the replica, private ones to the primary, and a suspension holds in ten seconds", async () => {
  const [trackId, lease] = [await createTrack(auth, user.userId), randomUUID()];
  const finish =
    "update tracks set state = 'finished', duration_ms = 1, media_prefix = $2, media = $3 where id = $1";
  await auth.sql(finish, [trackId, `t/${trackId}/${lease}/`, JSON.stringify(STORED_MEDIA)]);
  const rights = {
    rendition: "hls",
    expiresAtS: 2 ** 32,
    listenerId: null,
    secretPrefix: "",
    openedBy: "",
  } as const;
  const play = (isPrivate = false) => {
    const token = mediaToken(stack.secrets, { trackId, lease, ...rights, private: isPrivate });
    return fetch(`${stack.urls.api}/media/${token}/master.m3u8`);
  };
  await settled(play);
  expect(await requestsOf(() => play(true))).toEqual([1, 0]);
  await auth.sql("update users set disabled_at = now() where id = $1", [user.userId]);
  const statuses = async () => [(await play()).status, (await links()).status];
  await expect.poll(statuses, { timeout: 10_000 }).toEqual([404, 404]);
  await auth.sql("update users set disabled_at = null where id = $1", [user.userId]);
});

test("a replica that is gone, or hears of no commit, is not asked", async () => {
  await settled();
  process.kill(stack.pids().replica ?? expect.unreachable(), "SIGKILL");
  for (let n = 0; n < 5; n++) expect((await links()).status).toBe(200);
  await settled();
  clearInterval(commits);
  await sleep((DELAY_S + 7) * 1000);
  // PostgreSQL's own vacuum commits, too.
  const atPrimary = async () => (await requestsOf(links))[0];
  await expect.poll(atPrimary, { ...WITHIN, interval: 3_000 }).toBe(1);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../functions/client/index.ts";
import { readArguments } from "../../workers/admin/arguments.ts";
import { moderationCommands } from "../../workers/admin/moderation-commands.ts";
import { stackTarget } from "../../workers/admin/target.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { createTrack } from "../service/http/requests.support.ts";
import { Browser } from "../support/browser.ts";
import { fillBundle } from "../support/data-dir.ts";
import { AuthServer, statuses, times } from "../support/oauth.ts";
import { siteCookieOf } from "../support/site-session.ts";
import { clientAt } from "./replica.support.ts";

const dataDir = mkdtempSync(join(tmpdir(), "soundpost-replica-"));
/** How far the replica is held back. */
const DELAY_S = 5;

let stack: Stack;
let auth: AuthServer;
let commits: NodeJS.Timeout;
/** A reader who writes nothing, and tracks, all known to the replica. */
let other: Client;
let others: Awaited<ReturnType<AuthServer["signedIn"]>>;
let tracks: number[];
/** A reader of the site. */
let browser: Browser;

beforeAll(async () => {
  // The database is new, so that the replica has no tables at first.
  await fillBundle(dataDir);
  stack = await startStack({
    ...{ port: await freePorts(3), dataDir, crons: false, transcoders: 0, log: () => {} },
    replica: { delayS: DELAY_S },
  });
  auth = new AuthServer(stack);
  // Others' writes, whose commits tell how far the replica is.
  commits = setInterval(() => void auth.sql("select pg_current_xact_id()").catch(() => {}), 500);
});
afterAll(async () => {
  clearInterval(commits);
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const clientOf = (token: string, carries: boolean) => clientAt(stack.urls.api, token, carries);

type Client = ReturnType<typeof clientOf>;

const reader = async () => clientOf((await auth.signedIn()).tokens.access_token, true);

async function enteredBrowser(): Promise<Browser> {
  const entering = new Browser(undefined, stack.urls.api);
  const user = await auth.createUser();
  const cookie = await siteCookieOf(user, (text, values) => auth.sql(text, values), stack.urls.api);
  const [name = "", value = ""] = cookie.split("=");
  entering.cookies.set(name, value);
  await entering.enterSite();
  return entering;
}

/** Runs the command line's `track take-down`. */
const takeDown = (id = 0) =>
  moderationCommands["track take-down"]?.(
    stackTarget(stack),
    readArguments(["--track", String(id), "--reason", "A claim by its author"]),
  );

const lists = (client: Client) => client("GET", "/tracks?limit=5");

const statementsAt = async (proxyUrl: string) =>
  ((await (await fetch(new URL("stats", proxyUrl))).json()) as { queries: number }).queries;

/** Statements of each while `during` runs. */
async function statementsOf(during: () => Promise<unknown>) {
  const both = () => Promise.all([statementsAt(stack.proxyUrl), statementsAt(stack.replica?.proxyUrl ?? "")]);
  const [primary, replica] = await both();
  await during();
  const [primaryNow, replicaNow] = await both();
  return { primary: primaryNow - primary, replica: replicaNow - replica };
}

const ON_REPLICA = { primary: 0, replica: 1 };

/** Waits until the replica alone answers: it knows the reader's session and what is read. */
const settled = (client: Client, path: string) =>
  expect
    .poll(() => statementsOf(() => client("GET", path)), { timeout: 60_000, interval: 200 })
    .toEqual(ON_REPLICA);

test("reads leave the primary once the replica has the tables", async () => {
  tracks = await Promise.all(Array.from({ length: 4 }, () => createTrack(auth)));
  others = await auth.signedIn();
  other = clientOf(others.tokens.access_token, true);
  browser = await enteredBrowser();
  await settled(other, `/tracks/${tracks[2]}`);
});

test.each([true, false])("a writer sees each change at once (carrying the header: %s)", async (carries) => {
  const { tokens, userId } = await auth.signedIn();
  const client = clientOf(tokens.access_token, carries);
  const track = tracks[2];
  const made = await client("POST", "/playlists", { playlist: { title: "Round 0", tracks: [] } });
  expect(made.status).toBe(201);
  for (let round = 1; round <= 20; round++) {
    const title = `Round ${round}`;
    expect((await client("PUT", `/playlists/${made.body.id}`, { playlist: { title } })).status).toBe(200);
    expect((await client("GET", `/playlists/${made.body.id}`)).body.title).toBe(title);
    const liked = round % 2 === 1;
    await client(liked ? "POST" : "DELETE", `/likes/tracks/${track}`);
    expect((await client("GET", `/tracks/${track}`)).body.user_favorite).toBe(liked);
    expect((await client("GET", "/me")).body.public_favorites_count).toBe(Number(liked));
  }
  expect((await client("GET", `/users/${userId}/playlists`)).body[0].title).toBe("Round 20");
});

test("others see a change as soon as the replica has it, and are answered by it alone", async () => {
  const writer = clientOf((await auth.signedIn()).tokens.access_token, true);
  const made = await writer("POST", "/playlists", { playlist: { title: "Before", sharing: "public" } });
  const title = async (as: Client) => (await as("GET", `/playlists/${made.body.id}`)).body?.title;
  await settled(other, `/playlists/${made.body.id}`);
  await writer("PUT", `/playlists/${made.body.id}`, { playlist: { title: "After" } });
  const before = await statementsOf(async () => expect(await title(other)).toBe("Before"));
  expect(before).toEqual(ON_REPLICA);
  const [own, others]: [string[], string[]] = [[], []];
  // The writer asks all the while: the replica passes the moment when it lacks this one change alone.
  const ask = async () => {
    own.push(await title(writer));
    others.push(await title(other));
    return others.at(-1);
  };
  await expect.poll(ask, { timeout: 30_000, interval: 20 }).toBe("After");
  expect([new Set(own), new Set(others)]).toEqual([new Set(["After"]), new Set(["Before", "After"])]);
});

test("what is new to the replica is asked of the primary: a session, a track, its lists and its page", async () => {
  expect((await (await reader())("GET", "/me")).status).toBe(200);
  const track = await createTrack(auth);
  const [owner] = await auth.sql<{ id: number; permalink: string }>(
    "select u.id::float8 as id, u.permalink from users u join tracks t on t.user_id = u.id where t.id = $1",
    [track],
  );
  for (const path of ["", "/comments", "/related", "/favoriters"])
    expect([path, (await other("GET", `/tracks/${track}${path}`)).status]).toEqual([path, 200]);
  expect((await other("GET", `/users/${owner?.id}/tracks`)).body).toMatchObject([{ id: track }]);
  for (const visitor of [browser, new Browser(undefined, stack.urls.api)])
    expect((await visitor.get(`/${owner?.permalink}`)).status).toBe(200);
  expect((await browser.get(`/you/sets/add?track=${track}`)).status).toBe(200);
  const app = await auth.ownToken(await auth.createApp());
  expect((await clientOf(app.body.access_token, false)("GET", "/tracks?limit=1")).status).toBe(200);
});

test("an ended session, a track closed, taken down or out of a shared set are refused by the replica too, once that is said", async () => {
  const [ended, owner] = [await auth.signedIn(), await auth.signedIn()];
  const asOwner = clientOf(owner.tokens.access_token, true);
  const [track, , , claimed] = tracks;
  await auth.sql("update tracks set user_id = $1 where id = $2", [owner.userId, track]);
  const listed = [await createTrack(auth, owner.userId), await createTrack(auth, owner.userId)];
  await auth.sql("update tracks set sharing = 'private' where id = any ($1)", [listed]);
  const [sets, links]: [number[], string[]] = [[], []];
  for (const id of listed) {
    const playlist = { title: "Shared", sharing: "private", tracks: [{ id }] };
    const { body } = await asOwner("POST", "/playlists", { playlist });
    sets.push(body.id);
    links.push(`/tracks/${id}?secret_token=${body.secret_token}`);
  }
  const asEnded = clientOf(ended.tokens.access_token, true);
  for (const link of links) await settled(other, link);
  await settled(other, `/tracks/${track}`);
  await settled(other, `/tracks/${claimed}`);
  await settled(asEnded, "/me");
  const [signedOut, closed, , ...linked] = await Promise.all([
    auth.signOut(ended.tokens.access_token),
    asOwner("PUT", `/tracks/${track}`, { track: { sharing: "private" } }),
    takeDown(claimed),
    asOwner("PUT", `/playlists/${sets[0]}/tracks`, { playlist: { tracks: [] } }).then(() =>
      other("GET", `${links[0]}`),
    ),
    asOwner("DELETE", `/playlists/${sets[1]}/tracks/${listed[1]}`).then(() => other("GET", `${links[1]}`)),
  ]);
  expect([signedOut.status, closed.status]).toEqual([200, 200]);
  expect((await asEnded("GET", "/me")).status).toBe(401);
  expect((await other("GET", `/tracks/${track}`)).status).toBe(404);
  expect((await other("GET", `/tracks/${claimed}`)).status).toBe(404);
  expect(linked.map(({ status }) => status)).toEqual([404, 404]);
});

test("a page shows its reader's own change at once: the browser's cookie says so", async () => {
  const [followed] = await auth.sql<{ id: number; username: string }>(
    "select u.id::float8 as id, u.username from users u join tracks t on t.user_id = u.id where t.id = $1",
    [tracks[0]],
  );
  const page = `/${followed?.username}`;
  const act = (name: string) => browser.submit(page, `/you/acts/${name}/${followed?.id}`);
  const follows = async () => (await browser.get(page)).html.includes(`action="/you/acts/unfollow/`);
  await expect.poll(() => statementsOf(follows), { timeout: 60_000, interval: 200 }).toEqual(ON_REPLICA);
  expect(await follows()).toBe(false);
  expect((await act("follow")).status).toBe(303);
  const readAfter = browser.cookies.get("read-after") ?? "";
  expect(readAfter).toMatch(/^[1-9]\d*$/);
  // At once, because the replica lacks this change for some seconds only.
  browser.cookies.delete("read-after");
  const late = await statementsOf(async () => expect(await follows()).toBe(false));
  expect(late).toEqual(ON_REPLICA);
  browser.cookies.set("read-after", readAfter);
  expect(await follows()).toBe(true);
  expect((await act("unfollow")).status).toBe(303);
  expect(await follows()).toBe(false);
});

test("polls of a feed get what was under way, and nothing twice, whoever answers", async () => {
  const [slow] = await auth.sql<{ id: number }>(
    `insert into followings (user_id, followee_id) select $1, user_id from tracks where id = $2
     returning followee_id::float8 as id`,
    [others.userId, tracks[2]],
  );
  const underWay = new pg.Client({ connectionString: stack.databaseUrl });
  await underWay.connect();
  await underWay.query("begin");
  await underWay.query("insert into reposts (user_id, track_id) values ($1, $2)", [slow?.id, tracks[1]]);
  const made = [await createTrack(auth, slow?.id)];
  const listed = async () => (await other("GET", `/users/${slow?.id}/tracks`)).body.length;
  await expect.poll(listed, { timeout: 30_000, interval: 200 }).toBe(2);
  made.push(await createTrack(auth, slow?.id));
  const atPrimary = clientOf(others.tokens.access_token, false);
  const firsts = [await other("GET", "/me/feed"), await atPrimary("GET", "/me/feed")];
  await underWay.query("commit");
  await underWay.end();
  const expected = [tracks[1], tracks[2], ...made].sort();
  for (const { body: first } of firsts) {
    const got = { ...first, all: [...first.collection] };
    const poll = async () => {
      const { body } = await other("GET", got.future_href.replace(stack.urls.api, ""));
      got.future_href = body.future_href;
      got.all.push(...body.collection);
      return got.all.map(({ origin }: { origin: { id: number } }) => origin.id).sort();
    };
    await expect.poll(poll, { interval: 200 }).toContain(tracks[1]);
    expect(await poll()).toEqual(expected);
  }
});

test("a takedown by hand holds soon, at the replica too", async () => {
  const track = tracks[1];
  await settled(other, `/tracks/${track}`);
  await auth.sql(
    "update users set disabled_at = now() where id = (select user_id from tracks where id = $1)",
    [track],
  );
  await expect
    .poll(async () => (await other("GET", `/tracks/${track}`)).status, { timeout: 30_000 })
    .toBe(404);
});

test("without a replica the primary answers, and the replica again when it is back", async () => {
  await settled(other, "/tracks?limit=5");
  process.kill(stack.pids().replica ?? expect.unreachable(), "SIGKILL");
  expect(statuses(await times(5, () => lists(other) as never))).toEqual(Array(5).fill(200));
  await settled(other, "/tracks?limit=5");
});

test("a replica that hears of no commit is not asked: nobody knows how far it is", async () => {
  await settled(other, "/tracks?limit=5");
  clearInterval(commits);
  await sleep((DELAY_S + 7) * 1000);
  // PostgreSQL's own vacuum commits, too.
  await expect
    .poll(async () => (await statementsOf(() => lists(other))).primary, { interval: 3_000, timeout: 90_000 })
    .toBe(1);
});

test("the typed client reads its own writes, from the replica once that knows them", async () => {
  const { access_token: token } = (await auth.signedIn()).tokens;
  const sent: (string | null)[] = [];
  const client = createClient({
    ...{ apiUrl: stack.urls.api, token },
    fetch: (url, init) => {
      sent.push(new Headers(init.headers).get("Read-After"));
      return fetch(url, init);
    },
  });
  const described = async () => (await client.get("/me")).description;
  const atFirst = await statementsOf(described);
  // An earlier request may have recorded its reader after the reply.
  expect(atFirst.replica).toBe(0);
  await client.put("/me", { body: { user: { description: "Mine" } } });
  expect(await described()).toBe("Mine");
  await expect
    .poll(() => statementsOf(async () => expect(await described()).toBe("Mine")))
    .toEqual({ primary: 0, replica: 1 });
  expect(sent.slice(0, 2)).toEqual([null, null]);
  expect(sent.at(-1)).toMatch(/^[1-9]\d*$/);
});

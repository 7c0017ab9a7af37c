import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { endImport } from "../../../db/queries/import-turns.ts";
import { listOverdue } from "../../../db/queries/overdue.ts";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { makeSources } from "../../support/sources.ts";
import { deliver, runCron, sql, stack } from "../../support/stack.ts";
import { feedOf, ownerOf, startFeedServer } from "./feed-server.ts";
import {
  begin,
  codeFor,
  confirm,
  episodesOf,
  moveIn,
  newEmail,
  read,
  runNow,
  waitForImport,
} from "./imports.support.ts";

let audio: Buffer;
let ana: Person;

beforeAll(async () => {
  audio = readFileSync((await makeSources()).mp3.path);
  ana = await createUser();
});

/** Parts have 16 MiB. An MP3 goes on after any number of silent bytes before it. */
const PART = 16 * 2 ** 20;
const large = () => Buffer.concat([audio, Buffer.alloc(2 * PART)]);

/** Moves in a feed with one episode, whose file the server answers as the test says. */
async function moveOne(
  who: Person,
  answer?: (response: ServerResponse, time: number, send: () => void) => void,
  bytes = audio,
) {
  const server = await startFeedServer();
  let times = 0;
  const url = server.serve("/audio.mp3", {
    bytes,
    ...(answer && {
      answer: (request, response) => answer(response, ++times, () => server.send(request, response)),
    }),
  });
  const email = newEmail();
  const feed = server.serve("/feed.xml", { bytes: feedOf("One", ownerOf(email), [{ guid: "1", url }]) });
  return { server, ...(await moveIn(who, feed, email)) };
}

/** Makes what waits for its next attempt due. */
async function skipWaits(id: number): Promise<void> {
  await sql(
    "update podcast_import_episodes set next_run_at = now() where import_id = $1 and state = 'waiting'",
    [id],
  );
  await sql("update podcast_imports set next_run_at = now() where id = $1", [id]);
  await runNow(id);
}

const stateOf = async (who: Person, id: number) => (await episodesOf(who, id))[0]?.state;
const reasonOf = async (who: Person, id: number) => (await episodesOf(who, id))[0]?.reason?.code;

const original = (id: number) =>
  sql<{ size: number }>(
    `select t.original_content_size::float8 as size from tracks t join podcast_import_episodes e on e.track_id = t.id
      where e.import_id = $1`,
    [id],
  );

test("a file that breaks off goes on where it stopped, in parts of the same file", async () => {
  const ben = await createUser();
  const bytes = large();
  const { id, server } = await moveOne(
    ben,
    (response, time, send) => {
      if (time > 1) return send();
      response.writeHead(200, {
        "Content-Type": "audio/mpeg",
        "Content-Length": bytes.length,
        ETag: `"${bytes.length}"`,
      });
      response.write(bytes.subarray(0, PART + 1000), () => response.destroy());
    },
    bytes,
  );
  await expect.poll(() => reasonOf(ben, id)).toMatch(/unreachable|interrupted/);
  await skipWaits(id);
  await waitForImport(ben, id);
  expect(server.askedFor("/audio.mp3").map(({ range, ifRange }) => [range, ifRange])).toEqual([
    [undefined, undefined],
    [`bytes=${PART}-`, `"${bytes.length}"`],
  ]);
  expect(await original(id)).toEqual([{ size: bytes.length }]);
});

/** The file that is there by the second attempt: five bytes shorter than that of the first. */
const sendWhole = (response: ServerResponse, changed: Buffer) =>
  void response
    .writeHead(200, { "Content-Type": "audio/mpeg", "Content-Length": changed.length })
    .end(changed);

test.each<[string, typeof sendWhole]>([
  ["without ranges", sendWhole],
  [
    "with a range of yet another file",
    (response, changed) => {
      const rest = changed.subarray(PART, -2);
      const range = `bytes ${PART}-${changed.length - 3}/${changed.length - 2}`;
      response
        .writeHead(206, {
          "Content-Type": "audio/mpeg",
          "Content-Length": rest.length,
          "Content-Range": range,
        })
        .end(rest);
    },
  ],
  ["without so many bytes", (response) => void response.writeHead(416).end()],
])("a file that has changed since is fetched from the beginning, from a server %s", async (_, answer) => {
  const ben = await createUser();
  const bytes = Buffer.concat([audio, Buffer.alloc(PART)]);
  const { id, server } = await moveOne(
    ben,
    (response, time) => {
      if (time > 1) return (time === 2 ? answer : sendWhole)(response, bytes.subarray(0, -5));
      // A weak tag tells no bytes apart.
      const headers = { "Content-Type": "audio/mpeg", "Content-Length": bytes.length, ETag: 'W/"1"' };
      response.writeHead(200, headers).write(bytes.subarray(0, PART + 1000), () => response.destroy());
    },
    bytes,
  );
  await expect.poll(() => reasonOf(ben, id)).toMatch(/unreachable|interrupted/);
  await expect
    .poll(async () => {
      await skipWaits(id);
      return original(id);
    })
    .toEqual([{ size: bytes.length - 5 }]);
  const [, second] = server.askedFor("/audio.mp3");
  expect([second?.range, second?.ifRange]).toEqual([`bytes=${PART}-`, undefined]);
});

test("an attempt that is lost in the middle is taken over, and its late end changes nothing", async () => {
  const ben = await createUser();
  let release = () => {};
  const { id, playlist_id } = await moveOne(ben, (_response, time, send) => {
    if (time > 1) return send();
    release = send;
  });
  await expect.poll(() => stateOf(ben, id)).toBe("fetching");
  // Its Worker is gone as far as the database knows.
  await sql("update podcast_import_episodes set lease_until = now() where import_id = $1", [id]);
  // Two messages and the cron at once.
  await Promise.all([
    deliver("imports", [{ body: { import: id } }]),
    deliver("imports", [{ body: { import: id } }]),
    runCron("* * * * *"),
  ]);
  await waitForImport(ben, id);
  release();
  await Promise.all([runNow(id), runCron("* * * * *")]);
  const { body } = await api.as(ben).get<Playlist>(`/playlists/${playlist_id}`);
  expect([body.track_count, (await read(ben, id)).episodes.done]).toEqual([1, 1]);
});

test("an import that is stopped fetches nothing more, and what was under way is dropped", async () => {
  const ben = await createUser();
  let release = () => {};
  const { id } = await moveOne(ben, (_response, _time, send) => {
    release = send;
  });
  await expect.poll(() => stateOf(ben, id)).toBe("fetching");
  await api.as(ben).delete(`/me/podcast-imports/${id}`);
  release();
  await runNow(id);
  expect(await read(ben, id)).toMatchObject({ state: "cancelled", episodes: { cancelled: 1 } });
  await expect.poll(() => original(id)).toEqual([]);
});

test("409: a second podcast waits until the first is here, or is stopped", async () => {
  const ben = await createUser();
  let release = () => {};
  const { id, server } = await moveOne(ben, (_response, _time, send) => {
    release = send;
  });
  const email = newEmail();
  const items = [{ guid: "2", url: `${server.origin}/other.mp3` }];
  const feed = server.serve("/other.xml", { bytes: feedOf("Other", ownerOf(email), items) });
  const { body: other } = await begin(ben, feed);
  const code = { code: await codeFor(email) };
  const refused = await confirm(ben, other.id, code);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining("Another podcast is moving in"),
  ]);
  await api.as(ben).delete(`/me/podcast-imports/${id}`);
  release();
  expect((await confirm(ben, other.id, code)).status).toBe(200);
});

test("an import is locked before its episodes by its end and by a failure, so neither meets a new track half-way", async () => {
  const ben = await createUser();
  const fetching = Promise.withResolvers<ServerResponse>();
  const { id } = await moveOne(ben, fetching.resolve);
  const response = await fetching.promise;
  const during = <Reply>(ask: () => Promise<Reply>) =>
    askDuring("select from podcast_imports where id = $1 for update", [id], ask, [
      "select from podcast_import_episodes where import_id = $1 for update",
      [id],
    ]);
  await during(() => {
    response.writeHead(404).end();
    return waitForImport(ben, id);
  });
  expect(await reasonOf(ben, id)).toBe("status_404");
  await sql(
    "update podcast_import_episodes set state = 'waiting', next_run_at = 'infinity' where import_id = $1",
    [id],
  );
  expect((await during(() => api.as(ben).delete(`/me/podcast-imports/${id}`))).status).toBe(200);
});

test("a missing file fails at once, and its retry fetches it", async () => {
  const ben = await createUser();
  let isThere = false;
  const { id } = await moveOne(ben, (response, _time, send) =>
    isThere ? send() : void response.writeHead(404).end(),
  );
  await expect.poll(() => reasonOf(ben, id)).toBe("status_404");
  await expect.poll(async () => (await read(ben, id)).state).toBe("done");
  isThere = true;
  const [episode] = await episodesOf(ben, id);
  const retry = `/me/podcast-imports/${id}/episodes/${episode?.id}/retry`;
  expect((await api.as(ana).post(retry)).status).toBe(404);
  expect((await api.as(ben).post(retry)).status).toBe(200);
  expect((await waitForImport(ben, id)).map(({ state }) => state)).toEqual(["done"]);
});

test("a server that asks for a rest gets it", async () => {
  const ben = await createUser();
  const { id, server } = await moveOne(ben, (response, time, send) =>
    time > 1 ? send() : void response.writeHead(429, { "Retry-After": "3600" }).end(),
  );
  await expect.poll(() => reasonOf(ben, id)).toBe("status_429");
  const wait = () =>
    sql(
      `select attempts, next_run_at, next_run_at > now() + interval '30 minutes' as rests
       from podcast_import_episodes where import_id = $1`,
      [id],
    );
  const [[episode], before] = [await episodesOf(ben, id), await wait()];
  expect(before).toMatchObject([{ rests: true }]);
  expect((await api.as(ben).post(`/me/podcast-imports/${id}/episodes/${episode?.id}/retry`)).status).toBe(
    200,
  );
  expect(await wait()).toEqual(before);
  await Promise.all([runNow(id), runCron("* * * * *")]);
  expect(server.askedFor("/audio.mp3")).toHaveLength(1);
  await skipWaits(id);
  expect((await waitForImport(ben, id)).map(({ state }) => state)).toEqual(["done"]);
});

test("no file is fetched for a set that was deleted", async () => {
  const dan = await createUser();
  const { id, server } = await moveOne(dan, (response, time, send) =>
    time > 1 ? send() : response.writeHead(404).end(),
  );
  await waitForImport(dan, id);
  expect((await api.as(dan).delete(`/playlists/${(await read(dan, id)).playlist_id}`)).status).toBe(200);
  const [lost] = await episodesOf(dan, id);
  await api.as(dan).post(`/me/podcast-imports/${id}/episodes/${lost?.id}/retry`);
  await runNow(id);
  await expect.poll(() => reasonOf(dan, id)).toBe("no_set");
  expect(server.askedFor("/audio.mp3")).toHaveLength(1);
});

test("a page in place of audio, an empty file and a file beyond the quota say so", async () => {
  const page = await moveOne(
    await createUser(),
    (response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Sign in"),
  );
  const reasonIn = async (id: number) =>
    (
      await sql<{ reason: string }>(
        "select state || ': ' || reason as reason from podcast_import_episodes where import_id = $1",
        [id],
      )
    )[0]?.reason;
  await expect.poll(() => reasonIn(page.id)).toBe("failed: not_audio");
  const empty = await moveOne(await createUser(), undefined, Buffer.alloc(0));
  await expect.poll(() => reasonIn(empty.id)).toBe("failed: empty");
  const ben = await createUser();
  await sql("insert into user_quotas (user_id, tracks) values ($1, 0)", [ben.id]);
  const full = await moveOne(ben);
  await expect.poll(() => reasonIn(full.id)).toBe("failed: over_quota");
  expect(full.server.askedFor("/audio.mp3")).toEqual([]);
});

/** Moves in a feed of two episodes. The first is being fetched until it is released. */
async function moveTwo(who: Person) {
  const server = await startFeedServer();
  const waiting: (() => void)[] = [];
  let isReleased = false;
  const items = ["1", "2"].map((guid) => ({
    guid,
    url: server.serve(`/${guid}.mp3`, {
      bytes: audio,
      ...(guid === "1" && {
        answer: (request: IncomingMessage, response: ServerResponse) => {
          const send = () => server.send(request, response);
          if (isReleased) send();
          else waiting.push(send);
        },
      }),
    }),
  }));
  const email = newEmail();
  const feed = server.serve("/feed.xml", { bytes: feedOf("Two", ownerOf(email), items) });
  const moving = await moveIn(who, feed, email);
  await expect.poll(() => waiting.length).toBe(1);
  await sql(
    "update podcast_import_episodes set next_run_at = now() - interval '1 hour' where import_id = $1 and state = 'waiting'",
    [moving.id],
  );
  const release = () => {
    isReleased = true;
    for (const send of waiting) send();
  };
  return { ...moving, server, release };
}

const DONE = { outcome: "ok", retryMessages: [], retryBatch: { retry: false } };

test.for([
  ["its owner is suspended", "user suspend", "user restore"],
  ["operators keep its set down", "set remove", "removal restore"],
] as const)(
  "while %s, nothing is fetched and nothing is overdue, and then it goes on",
  async ([, stop, goOn]) => {
    const ben = await createUser();
    const { id, playlist_id, server, release } = await moveTwo(ben);
    const user = ["--user", ben.username];
    const isSet = stop === "set remove";
    const stopped = await operate<{ id: number }>(
      stop,
      ...(isSet ? ["--set", String(playlist_id)] : user),
      "--reason",
      "Spam",
    );
    release();
    // The run that fetches is lost as far as the database knows.
    const loseLease = () =>
      sql(
        "update podcast_import_episodes set lease_until = now() where import_id = $1 and state = 'fetching'",
        [id],
      );
    await loseLease();
    expect(await runNow(id)).toMatchObject(DONE);
    const { db } = stackTarget(stack);
    // No message is due for it: the cron sends the next one.
    expect(await endImport(db, id)).toBeNull();
    const { imports } = await listOverdue(db, "command line");
    expect(imports.filter((one) => one.id === id)).toEqual([]);
    expect(server.askedFor("/2.mp3")).toEqual([]);
    if (isSet) expect(await sql("select from tracks where user_id = $1", [ben.id])).toEqual([]);
    await operate(goOn, ...(isSet ? ["--removal", String(stopped.id), "--reason", "No"] : user));
    await loseLease();
    await runNow(id);
    const states = () =>
      sql<{ state: string }>("select state from podcast_import_episodes where import_id = $1", [id]);
    await expect.poll(states).toEqual([{ state: "imported" }, { state: "imported" }]);
  },
);

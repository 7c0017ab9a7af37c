import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { endImport } from "../../../db/queries/import-turns.ts";
import { listOverdue } from "../../../db/queries/overdue.ts";
import { stackTarget } from "../../../workers/admin/target.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { runCron, sql, stack } from "../../support/stack.ts";
import { feedOf, ownerOf, startFeedServer } from "./feed-server.ts";
import { audio, moveOne, reasonOf, skipWaits } from "./fetching.support.ts";
import { episodesOf, moveIn, newEmail, read, runNow, waitForImport } from "./imports.support.ts";

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
  expect((await api.as(await createUser()).post(retry)).status).toBe(404);
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

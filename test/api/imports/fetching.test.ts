import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import { api } from "../../support/api.ts";
import { askDuring } from "../../support/open-transaction.ts";
import { createUser } from "../../support/people.ts";
import { deliver, runCron, sql } from "../../support/stack.ts";
import { feedOf, ownerOf } from "./feed-server.ts";
import { audio, moveOne, reasonOf, skipWaits, stateOf } from "./fetching.support.ts";
import { begin, codeFor, confirm, newEmail, read, runNow, waitForImport } from "./imports.support.ts";

/** Parts have 16 MiB. An MP3 goes on after any number of silent bytes before it. */
const PART = 16 * 2 ** 20;
const large = () => Buffer.concat([audio, Buffer.alloc(2 * PART)]);

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

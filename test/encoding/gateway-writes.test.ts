import { randomBytes, randomUUID } from "node:crypto";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import { beforeAll, describe, expect, test } from "vitest";
import { MEDIA_BUCKET } from "../../workers/local/worker/bindings.ts";
import { askDuring } from "../support/open-transaction.ts";
import { createUser, type Person } from "../support/people.ts";
import { sql } from "../support/stack.ts";
import { createTrack, type StoredTrack, s3 } from "../support/tracks.ts";
import { BEAT, FINISHED, gateway, holdLease, LOST, park, report } from "./leases.support.ts";
import { keysUnder, swept } from "./sweep.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser();
});

const put = async (track: StoredTrack, ticket: string, name: string, body: BodyInit = "x", type?: string) => {
  const headers: Record<string, string> = type ? { "Content-Type": type } : {};
  const reply = await gateway(track.id, `outputs/${name}`, ticket, { method: "PUT", body, headers });
  await reply.arrayBuffer();
  return reply.status;
};

async function stored(track: StoredTrack, name: string) {
  const found = await s3.send(new GetObjectCommand({ Bucket: MEDIA_BUCKET, Key: track.prefix + name }));
  return { type: found.ContentType, bytes: Buffer.from((await found.Body?.transformToByteArray()) ?? []) };
}

const remove = (track: StoredTrack) => sql("delete from tracks where id = $1", [track.id]);

describe("each write and report checks the lease", () => {
  const statuses = async (track: StoredTrack, ticket: string) => ({
    source: (await gateway(track.id, "source", ticket)).status,
    output: await put(track, ticket, "hls/160/1.m4s"),
    heartbeat: await report(track.id, ticket, "heartbeat", BEAT),
    failed: await report(track.id, ticket, "failed", LOST),
    finished: await report(track.id, ticket, "finished", FINISHED),
  });
  const DEAD = { source: 410, output: 409, heartbeat: 409, failed: 409, finished: 409 };

  test("an expired one is refused whether or not another holds it, and late reports are 409", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track, { seconds: -1 });
    await park(track.id);
    expect(await statuses(track, ticket)).toEqual(DEAD);
    await holdLease(track, { attempt: 2, lease: randomUUID() });
    expect(await statuses(track, ticket)).toEqual(DEAD);
    expect(await keysUnder("media", track.prefix)).toEqual([]);
    await remove(track);
  });

  test("one replaced by the owner's retry is refused", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await report(track.id, ticket, "failed", { ...LOST, retryable: false })).toBe(200);
    await sql(
      "update encoding_jobs set state = 'queued', generation = 2, attempt = 0, lease_token = null, lease_until = null where track_id = $1",
      [track.id],
    );
    expect(await statuses(track, ticket)).toEqual(DEAD);
    await remove(track);
  });

  test("nothing is written after the track is finished", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await put(track, ticket, "preview.mp3", "heard")).toBe(200);
    expect(await report(track.id, ticket, "finished", FINISHED)).toBe(200);
    expect(await put(track, ticket, "preview.mp3", "other")).toBe(409);
    expect(await put(track, ticket, "hls/160/0.m4s")).toBe(409);
    expect(String((await stored(track, "preview.mp3")).bytes)).toBe("heard");
    expect(await keysUnder("media", track.prefix)).toEqual([`${track.prefix}preview.mp3`]);
  });
});

describe("an output", () => {
  test("is written once: a repeat changes nothing, and another length is refused", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await put(track, ticket, "hls/96/0.m4s", "first")).toBe(200);
    expect(await put(track, ticket, "hls/96/0.m4s", "first")).toBe(200);
    expect(await put(track, ticket, "hls/96/0.m4s", "other")).toBe(200);
    expect(await put(track, ticket, "hls/96/0.m4s", "longer")).toBe(412);
    expect(String((await stored(track, "hls/96/0.m4s")).bytes)).toBe("first");
    await remove(track);
  });

  test("has the type of its name, whatever was sent", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    expect(await put(track, ticket, "preview.mp3", "<script>", "text/html")).toBe(200);
    expect((await stored(track, "preview.mp3")).type).toBe("audio/mpeg");
    await remove(track);
  });

  test("is limited to the longest such file and must state its length", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const MOST = {
      "hls/160/init.mp4": 4 * 1024,
      "hls/160/0.m4s": 258 * 1536 + 8 * 1024,
      "mp3/0.mp3": 8 * 2 ** 20,
      "preview.mp3": 512 * 1024,
      "waveform.png": 2 ** 20,
      "waveform.json": 64 * 1024,
    };
    for (const [name, bytes] of Object.entries(MOST)) {
      expect([name, await put(track, ticket, name, Buffer.alloc(bytes + 1))]).toEqual([name, 413]);
      expect([name, await put(track, ticket, name, Buffer.alloc(bytes))]).toEqual([name, 200]);
    }
    const unmeasured = await gateway(track.id, "outputs/hls/96/0.m4s", ticket, {
      method: "PUT",
      body: new Blob([randomBytes(100)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(unmeasured.status).toBe(411);
    await remove(track);
  });

  test("is one of as many as a source of that length can have", async () => {
    // A minute and a second per byte, at 48 kHz in segments of 258 packets, the first in three, and parts of 8 MiB.
    for (const [bytes, segments, parts] of [
      [1_000, 195, 3],
      [4 * 2 ** 30, 15_711, 165],
    ] as const) {
      const track = await createTrack(ana, { original_content_size: bytes });
      const ticket = await holdLease(track);
      expect(await put(track, ticket, `hls/160/${segments - 1}.m4s`)).toBe(200);
      expect(await put(track, ticket, `hls/160/${segments}.m4s`)).toBe(413);
      expect(await put(track, ticket, `hls/96/999999.m4s`)).toBe(413);
      expect(await put(track, ticket, `mp3/${parts - 1}.mp3`)).toBe(200);
      expect(await put(track, ticket, `mp3/${parts}.mp3`)).toBe(413);
      await remove(track);
    }
  });
});

describe("the files of an attempt", () => {
  const listed = (track: StoredTrack) =>
    sql("select prefix from object_garbage where prefix like $1", [`t/${track.id}/%`]);

  test("are listed as garbage from the first write until the track plays from them", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    await report(track.id, ticket, "heartbeat", BEAT);
    expect(await listed(track)).toEqual([]);
    for (const name of ["hls/160/init.mp4", "hls/160/0.m4s", "preview.mp3"])
      expect(await put(track, ticket, name)).toBe(200);
    expect(await listed(track)).toEqual([{ prefix: track.prefix }]);
    expect(await report(track.id, ticket, "finished", FINISHED)).toBe(200);
    expect(await listed(track)).toEqual([]);
  });

  test("are not listed again by a write that comes while the track is being finished, and is refused", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const status = await askDuring(
      "select from encoding_jobs where track_id = $1 for update",
      [track.id],
      () => put(track, ticket, "preview.mp3"),
      ["update encoding_jobs set state = 'done' where track_id = $1", [track.id]],
    );
    expect([status, await listed(track)]).toEqual([409, []]);
    await remove(track);
  });

  test("lock the job with the first write alone", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    const locks = new Set<unknown>();
    for (const name of ["preview.mp3", "hls/160/init.mp4", "hls/160/0.m4s"]) {
      expect(await put(track, ticket, name)).toBe(200);
      const [job] = await sql("select xmax::text from encoding_jobs where track_id = $1", [track.id]);
      locks.add(job?.xmax);
    }
    expect(locks.size).toBe(1);
    await remove(track);
  });

  test("are swept, but never those a finished track uses, even if listed", async () => {
    const track = await createTrack(ana);
    const ticket = await holdLease(track);
    await put(track, ticket, "preview.mp3");
    const again = await createTrack(ana);
    await put(again, await holdLease(again), "preview.mp3");
    await report(track.id, ticket, "finished", FINISHED);
    await sql(
      `insert into object_garbage select p, 'media', now() - interval '1 year' from unnest($1::text[]) p
       on conflict (prefix) do update set due_at = excluded.due_at`,
      [[track.prefix, again.prefix]],
    );
    await swept(() => keysUnder("media", again.prefix)).toEqual([]);
    expect(await keysUnder("media", track.prefix)).toEqual([`${track.prefix}preview.mp3`]);
    await sql("delete from object_garbage where prefix = $1", [track.prefix]);
    await remove(again);
  });
});

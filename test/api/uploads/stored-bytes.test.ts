import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { MEDIA_BUCKET, UPLOADS_BUCKET } from "../../../workers/local/worker/bindings.ts";
import { api } from "../../support/api.ts";
import { createForm, createJpeg } from "../../support/images.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { SECONDS } from "../../support/sources.ts";
import { runCron, sql } from "../../support/stack.ts";
import { s3, shortWav, uploadFinishedTrack } from "../../support/tracks.ts";
import { asked, causes } from "./uploads.support.ts";

/** Bytes below a prefix, as storage says. */
async function sizeOf(bucket: string, prefix: string): Promise<number> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
  return Contents.reduce((sum, { Size = 0 }) => sum + Size, 0);
}

/** Waits until the cron has measured all that a user has in storage. */
const measured = (who: Person) =>
  expect
    .poll(async () => {
      await runCron("* * * * *");
      return sql("select prefix from stored_objects where user_id = $1 and bytes is null", [who.id]);
    })
    .toEqual([]);

const usedBy = async (who: Person) => (await api.as(who).get<Me>("/me")).body.quota.bytes_used;

interface Stored extends Record<string, unknown> {
  stored: { originals: number; encodes: number; pictures: number };
}

const storedBy = async (who: Person) =>
  (await operate<Stored>("user show", "--username", who.username)).stored;

let ana: Person;
let song: Track;

beforeAll(async () => {
  ana = await createUser();
  song = await uploadFinishedTrack(ana);
});

test("a quota counts the original, its encodes and pictures, as they lie in storage", async () => {
  await api.as(ana).put("/me", createForm({ "user[avatar_data]": await createJpeg() }));
  await api.as(ana).put(`/tracks/${song.id}`, createForm({ "track[artwork_data]": await createJpeg() }));
  await measured(ana);
  const [row] = await sql<{ original: string; media: string; pictures: string[] }>(
    `select t.original_key as original, t.media_prefix as media, array[t.artwork_version, u.avatar_version] as pictures
     from tracks t join users u on u.id = t.user_id where t.id = $1`,
    [song.id],
  );
  const pictures = (row?.pictures ?? []).map((version) => sizeOf(MEDIA_BUCKET, `images/${version}/`));
  const stored = {
    originals: await sizeOf(UPLOADS_BUCKET, row?.original ?? ""),
    encodes: await sizeOf(MEDIA_BUCKET, row?.media ?? ""),
    pictures: (await Promise.all(pictures)).reduce((sum, size) => sum + size, 0),
  };
  expect(await storedBy(ana)).toEqual(stored);
  expect(Math.min(...Object.values(stored))).toBeGreaterThan(1_000);
  expect(await usedBy(ana)).toBe(stored.originals + stored.encodes + stored.pictures);
});

test("what is replaced or deleted no longer counts, at once", async () => {
  const { pictures } = await storedBy(ana);
  await api.as(ana).put(`/tracks/${song.id}`, { json: { track: { artwork_data: null } } });
  expect((await storedBy(ana)).pictures).toBeLessThan(pictures);
  await api.as(ana).delete(`/tracks/${song.id}`);
  expect(await storedBy(ana)).toMatchObject({ originals: 0, encodes: 0 });
});

test("an upload that was accepted is encoded, although its encodes go beyond the quota", async () => {
  const who = await createUser();
  const { size } = shortWav(SECONDS);
  await operate("user set-quota", "--user", who.username, "--bytes", String(size + 100_000));
  const track = await uploadFinishedTrack(who);
  expect(track.state).toBe("finished");
  await measured(who);
  await operate("user set-quota", "--user", who.username, "--bytes", String((await usedBy(who)) - 1));
  const refused = await api.as(who).post("/uploads", { json: asked(1) });
  expect([refused.status, causes(refused as never)]).toEqual([403, expect.stringMatching(/is used up$/)]);
  expect((await api.as(who).get<Track>(`/tracks/${track.id}`)).body.state).toBe("finished");
});

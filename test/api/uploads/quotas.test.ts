import { describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import type { Upload } from "../../../functions/api/uploads/representation.ts";
import type { Me } from "../../../functions/api/users/representation-me.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  shortWav,
  waitForEncode,
  words,
} from "../../support/tracks.ts";
import { asked, causes, giveUp, MIB, storedBy } from "./uploads.support.ts";

const limit = (who: Person, ...limits: string[]) =>
  operate("user set-quota", "--user", who.username, ...limits);

async function limited(...limits: string[]): Promise<Person> {
  const who = await createUser();
  await limit(who, ...limits);
  return who;
}

const quotaOf = async (who: Person) => (await api.as(who).get<Me>("/me")).body.quota;

const open = (who: Person, size = 100) =>
  api.as(who).post<Upload & ErrorReply>("/uploads", { json: asked(size) });

function classic(who: Person, file: Blob, headers: Record<string, string> = {}) {
  const form = new FormData();
  form.append("track[title]", "A song");
  form.append("track[asset_data]", file, "song.wav");
  return api.as(who).post<Track & ErrorReply>("/tracks", { raw: form, headers });
}

test("a user without limits reads so in /me", async () => {
  const who = await createUser();
  await createPlayableTrack(who);
  const { body } = await api.as(who).get<Me>("/me");
  expect(body.quota).toMatchObject({
    unlimited_upload_quota: true,
    upload_seconds_left: null,
    bytes_left: null,
    tracks_used: 1,
    tracks_left: null,
  });
  expect(body.upload_seconds_left).toBeNull();
});

test.each([
  ["--seconds", "upload_seconds_left"],
  ["--bytes", "bytes_left"],
  ["--tracks", "tracks_left"],
])("a plan has limits, which a user's own replace: %s", async (option, left) => {
  const who = await createUser({ plan: "artist-pro" });
  const most = 1_000_000_000;
  await operate("quota set", "--plan", "artist-pro", option, String(most));
  expect(await quotaOf(who)).toMatchObject({ unlimited_upload_quota: false, [left]: most });
  await limit(who, option, "none");
  expect(await quotaOf(who)).toMatchObject({ unlimited_upload_quota: true, [left]: null });
  expect((await open(who)).status).toBe(201);
  await limit(who, option, "plan");
  expect(await quotaOf(who)).toMatchObject({ unlimited_upload_quota: false });
  await operate("quota set", "--plan", "artist-pro", option, "none");
  expect(await quotaOf(who)).toMatchObject({ unlimited_upload_quota: true });
  await expect(limit(who, option, "many")).rejects.toThrow(option);
  await expect(limit(who)).rejects.toThrow("missing");
});

test("a limit that is not named stays, of a user and of a plan", async () => {
  const most = 1_000_000_000;
  const who = await limited("--bytes", String(most));
  expect(await limit(who, "--tracks", "5")).toMatchObject({ bytes: most, tracks: 5 });
  const setPlan = (...limits: string[]) => operate("quota set", "--plan", "artist-pro", ...limits);
  await setPlan("--bytes", String(most));
  expect(await setPlan("--tracks", String(most))).toMatchObject({ seconds: null, bytes: most, tracks: most });
  await setPlan("--bytes", "none", "--tracks", "none");
});

describe("an upload session", () => {
  test("is refused before a byte if its file is larger than what is left", async () => {
    const who = await limited("--bytes", "250");
    const [first] = [await open(who, 200)];
    expect(first.status).toBe(201);
    expect(await quotaOf(who)).toMatchObject({ bytes_used: 200, bytes_left: 50, tracks_used: 1 });
    const second = await open(who, 51);
    expect([second.status, causes(second)]).toEqual([403, "size: your quota of 250 bytes has 50 bytes left"]);
    expect((await open(who, 50)).status).toBe(201);
  });

  test("gives back what it took once it is given up or has expired", async () => {
    const who = await limited("--tracks", "2");
    const [one, two] = [(await open(who)).body, (await open(who)).body];
    const third = await open(who);
    expect([third.status, causes(third)]).toEqual([403, "size: your quota of 2 tracks is used up"]);
    await giveUp(who, one);
    expect((await quotaOf(who)).tracks_left).toBe(1);
    await sql("update uploads set expires_at = now() where id = $1", [two.id]);
    expect(await quotaOf(who)).toMatchObject({ tracks_used: 0, bytes_used: 0, tracks_left: 2 });
  });

  test("counts while it is completed, and no more once it was lost with its request", async () => {
    const who = await limited("--tracks", "2");
    const [one, two] = [(await open(who)).body, (await open(who)).body];
    await sql("update uploads set status = 'completing' where id = $1", [one.id]);
    expect((await quotaOf(who)).tracks_used).toBe(2);
    await sql(
      "update uploads set storage_upload_id = null, created_at = now() - interval '2 minutes' where id = $1",
      [two.id],
    );
    expect((await quotaOf(who)).tracks_used).toBe(1);
  });

  test("counts until it is a track, which does not count twice, and a deleted track gives back", async () => {
    const who = await limited("--tracks", "1");
    const upload = await createReadyUpload(who, words());
    const used = { tracks_used: 1, bytes_used: words().size };
    expect(await quotaOf(who)).toMatchObject(used);
    expect((await open(who)).status).toBe(403);
    const made = await api
      .as(who)
      .post<Track>("/tracks", { json: { track: { upload_id: upload.id, title: "A song" } } });
    expect(made.status).toBe(201);
    expect(await quotaOf(who)).toMatchObject(used);
    expect((await open(who)).status).toBe(403);
    await waitForEncode(who, made.body.id);
    await api.as(who).delete(`/tracks/${made.body.id}`);
    expect((await open(who)).status).toBe(201);
  });

  test("opened ten times at once passes no limit", async () => {
    const who = await limited("--bytes", "1000");
    const replies = await Promise.all(Array.from({ length: 10 }, () => open(who, 300)));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(201),
      ...Array(7).fill(403),
    ]);
    expect(await quotaOf(who)).toMatchObject({ bytes_used: 900 });
  });
});

describe("a classic upload", () => {
  test("is refused when its file begins, and leaves nothing", async () => {
    const who = await limited("--bytes", "1000");
    const refused = await classic(who, new Blob([new Uint8Array(40 * MIB)]));
    expect(refused.status).toBe(403);
    expect(causes(refused)).toBe("track[asset_data]: your quota of 1000 bytes has 1000 bytes left");
    const small = await classic(who, new Blob([new Uint8Array(1001)]));
    expect(small.status).toBe(403);
    expect((await classic(who, words())).status).toBe(201);
    expect(await quotaOf(who)).toMatchObject({ tracks_used: 1, bytes_used: words().size });
    expect(await storedBy(who)).toEqual({ objects: [expect.any(String)], open: 0 });
  });

  test("passes no limit together with others, nor with sessions", async () => {
    const who = await limited("--tracks", "2");
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => classic(who, words())),
      ...Array.from({ length: 4 }, () => open(who)),
    ]);
    expect(replies.filter(({ status }) => status === 201).length).toBe(2);
    expect(replies.filter(({ status }) => status === 403).length).toBe(6);
  });

  test("that is repeated with its key gets its first reply although the quota is full by then", async () => {
    const who = await limited("--tracks", "1");
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const [first, again] = [await classic(who, words(), key), await classic(who, words(), key)];
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect((await classic(who, words(), { "Idempotency-Key": crypto.randomUUID() })).status).toBe(403);
  });

  test("may name a ready session although the quota is full", async () => {
    const who = await limited("--tracks", "1");
    const upload = await createReadyUpload(who, words());
    const form = new FormData();
    form.append("track[title]", "A song");
    form.append("track[upload_id]", String(upload.id));
    expect((await api.as(who).post("/tracks", { raw: form })).status).toBe(201);
  });
});

test("of two files that are encoded at once, one fails if together they are too long, and plays after room is made", async () => {
  const who = await limited("--seconds", "2");
  const sent = await Promise.all([classic(who, shortWav(2)), classic(who, shortWav(2))]);
  expect(sent.map(({ status }) => status)).toEqual([201, 201]);
  const ended = await Promise.all(sent.map(({ body }) => waitForEncode(who, body.id)));
  expect(ended.map(({ state }) => state).sort()).toEqual(["failed", "finished"]);
  const failed = ended.find(({ state }) => state === "failed");
  const finished = ended.find(({ state }) => state === "finished");
  expect(failed?.encoding?.reason?.code).toBe("over_quota");
  expect(await quotaOf(who)).toMatchObject({ upload_seconds_used: 2, upload_seconds_left: 0 });
  await api.as(who).delete(`/tracks/${finished?.id}`);
  expect((await api.as(who).post(`/tracks/${failed?.id}/retry`)).status).toBe(200);
  expect(await waitForEncode(who, failed?.id ?? 0)).toMatchObject({ state: "finished" });
  const refused = await open(who);
  expect(causes(refused)).toBe("size: your quota of 2 seconds of audio is used up");
});

import { beforeAll, describe, expect, test } from "vitest";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { swept } from "../../encoding/sweep.support.ts";
import { api } from "../../support/api.ts";
import { createAppToken, createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import {
  createPlayableTrack,
  createReadyUpload,
  createTrack,
  type StoredTrack,
  words,
} from "../../support/tracks.ts";
import { rolledUp } from "../plays/plays.support.ts";
import { row as uploadRow } from "../uploads/uploads.support.ts";

let owner: Person;
let other: Person;
let app: { token: string };

beforeAll(async () => {
  [owner, other, app] = await Promise.all([createUser(), createUser(), createAppToken()]);
});

/** A track whose original is in storage. */
async function withOriginal(
  columns: Record<string, unknown> = {},
  filename = "song.wav",
): Promise<StoredTrack> {
  const upload = await createReadyUpload(owner, words(), filename);
  const { key } = await uploadRow(upload);
  return createPlayableTrack(owner, {
    original_key: key,
    original_filename: filename,
    downloadable: true,
    ...columns,
  });
}

interface Redirect {
  status: string;
  location: string;
}

const download = (who: { token: string }, { id }: { id: number }, query = "") =>
  api.as(who).get<Redirect>(`/tracks/${id}/download${query}`);

const counted = async ({ id }: { id: number }) =>
  (await api.as(other).get<Track>(`/tracks/${id}`)).body.download_count;

test("a download redirects to the original under its own name, for a while", async () => {
  const track = await withOriginal({}, "Träck №1.wav");
  const reply = await download(other, track);
  expect(reply.status).toBe(302);
  expect(reply.body).toEqual({ status: "302 - Found", location: reply.headers.get("Location") });
  expect(reply.headers.get("Cache-Control")).toBe("private, no-store");
  const location = new URL(reply.body.location);
  expect(location.origin).toBe(stack.urls.objects);
  expect(Number(location.searchParams.get("X-Amz-Expires"))).toBeLessThanOrEqual(300);
  const file = await fetch(location);
  expect(file.headers.get("Content-Disposition")).toBe(
    `attachment; filename="Tr_ck _1.wav"; filename*=UTF-8''Tr%C3%A4ck%20%E2%84%961.wav`,
  );
  expect(await file.text()).toBe(await words().text());
  const part = await fetch(location, { headers: { Range: "bytes=0-4" } });
  expect([part.status, await part.text()]).toEqual([206, "These"]);
});

test.for([`a"b.wav`, "x\\y.wav", "semi;colon=.wav", "’quote’ 日本.wav", "…/../x.wav"])(
  "%j is only a name (X51)",
  async (filename) => {
    const reply = await download(other, await withOriginal({}, filename));
    const disposition = (await fetch(reply.body.location)).headers.get("Content-Disposition") ?? "";
    const [, plain, extended] =
      /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w.%!~-]*)$/.exec(disposition) ?? [];
    expect(plain).toBeDefined();
    expect(decodeURIComponent(extended ?? "")).toBe(filename);
  },
);

describe("permission (X13)", () => {
  type Asker = "owner" | "other" | "app";

  const CASES: Record<string, [columns: Record<string, unknown>, expected: Record<Asker, number>]> = {
    "a downloadable track": [{}, { owner: 302, other: 302, app: 302 }],
    "one that is not": [{ downloadable: false }, { owner: 302, other: 404, app: 404 }],
    "a private one": [{ sharing: "private" }, { owner: 302, other: 404, app: 404 }],
    "a blocked one": [{ streamable: false }, { owner: 302, other: 403, app: 403 }],
    "one that is neither downloadable nor playable": [
      { downloadable: false, streamable: false },
      { owner: 302, other: 404, app: 404 },
    ],
    "one for another country": [{ available_country_codes: ["DE"] }, { owner: 302, other: 403, app: 403 }],
    "one behind a paywall": [{ paywall: "preview" }, { owner: 302, other: 403, app: 403 }],
  };

  test.for(Object.entries(CASES))("%s", async ([, [columns, expected]]) => {
    const track = await withOriginal(columns);
    const asking = { owner, other, app };
    for (const [name, status] of Object.entries(expected)) {
      const who = asking[name as Asker];
      expect([name, (await download(who, track)).status]).toEqual([name, status]);
      const shown = await api.as(who).get<Track>(`/tracks/${track.id}`);
      const promised = status === 302 && (columns.downloadable ?? true);
      expect([name, "download_url" in shown.body]).toEqual([name, promised]);
    }
  });

  test("the secret allows users, but no app", async () => {
    const track = await withOriginal({ sharing: "private" });
    const secret = `?secret_token=${track.secret}`;
    expect((await download(other, track, secret)).status).toBe(302);
    expect((await download(app, track, secret)).status).toBe(401);
    expect((await download(other, track, "?secret_token=s-wrong")).status).toBe(404);
  });

  test("an original that never was audio is its owner's only", async () => {
    for (const state of ["processing", "failed"]) {
      const track = await createTrack(owner, { state, downloadable: true });
      expect((await download(owner, track)).status).toBe(302);
      expect((await download(other, track)).status).toBe(404);
    }
  });
});

describe("counts", () => {
  test("each download at once, before and after the sweep, but not a HEAD", async () => {
    const track = await withOriginal();
    const headers = { Authorization: `OAuth ${other.token}` };
    const path = `${stack.urls.api}/tracks/${track.id}/download`;
    const { status } = await fetch(path, { method: "HEAD", headers });
    expect(status).toBe(200);
    expect(await counted(track)).toBe(0);
    const reply = await download(other, track);
    expect(reply.headers.get("Server-Timing")).toContain("queries: 1");
    expect(await counted(track)).toBe(1);
    await Promise.all(Array.from({ length: 10 }, () => download(other, track)));
    expect(await counted(track)).toBe(11);
    await rolledUp(track.id);
    expect(await counted(track)).toBe(11);
    const [row] = await sql("select download_count::int as n, updated_at from tracks where id = $1", [
      track.id,
    ]);
    expect(row).toMatchObject({ n: 11 });
    await download(other, track);
    expect(await counted(track)).toBe(12);
  });

  test("nothing for a refused download", async () => {
    const track = await withOriginal({ downloadable: false });
    await Promise.all([download(other, track), download(app, track)]);
    expect(await counted(track)).toBe(0);
  });

  test("correctly while concurrent roll-ups and downloads run", async () => {
    const track = await createPlayableTrack(owner);
    const owe = (kind: string, subject: number, counter: string) =>
      sql("insert into counter_deltas (kind, subject_id, counter, delta) values ($1, $2, $3, 2)", [
        kind,
        subject,
        counter,
      ]);
    const shown = async () => (await api.as(other).get<Track>(`/tracks/${track.id}`)).body;
    const rollUp = () => sql("select roll_up_counters(7)");
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        await owe("track", track.id, n % 2 ? "playback_count" : "favoritings_count");
        await owe("user", owner.id, "followers_count");
        await rollUp();
      }),
    );
    expect(await shown()).toMatchObject({ playback_count: 20, favoritings_count: 20 });
    await expect
      .poll(async () => {
        await rollUp();
        const [person] = await sql("select followers_count::int as n from users where id = $1", [owner.id]);
        return person?.n;
      })
      .toBe(40);
    expect(await shown()).toMatchObject({ playback_count: 20, favoritings_count: 20, comment_count: 0 });
  });

  test("pending ones of a deleted track are dropped, and those of a busy one wait", async () => {
    const [gone, remaining] = [await withOriginal(), await withOriginal()];
    await Promise.all([download(other, gone), download(other, remaining)]);
    await api.as(owner).delete(`/tracks/${gone.id}`);
    const pending = async (id: number) =>
      (await sql("select 1 from counter_deltas where subject_id = $1", [id])).length;
    await swept(() => pending(gone.id)).toBe(0);
    expect(await counted(remaining)).toBe(1);
  });
});

test("attachments are an empty list for a track that the caller may see", async () => {
  const [seen, unseen] = [
    await createPlayableTrack(owner),
    await createPlayableTrack(owner, { sharing: "private" }),
  ];
  const ask = (path: string) => api.as(other).get<unknown>(path);
  expect((await ask(`/tracks/${seen.id}/attachments`)).body).toEqual([]);
  const page = await ask(`/tracks/${seen.id}/attachments?linked_partitioning=true&limit=1`);
  expect(page.body).toEqual({ collection: [] });
  expect((await ask(`/tracks/${unseen.id}/attachments`)).status).toBe(404);
  expect((await ask(`/tracks/${unseen.id}/attachments?secret_token=${unseen.secret}`)).status).toBe(200);
});

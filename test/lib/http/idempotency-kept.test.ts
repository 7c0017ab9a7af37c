import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { keyHashOf } from "../../../functions/lib/http/idempotency.ts";
import { api, type ErrorReply } from "../../support/api.ts";
import { authorizePath, createClientApp, createVisitor, exchange } from "../../support/consent.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createTrack, type StoredTrack } from "../../support/tracks.ts";
import { use } from "./budgets.support.ts";

let ana: Person;

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
});

const post = <Body>(path: string, json: unknown, key: string, who: Person) =>
  api.as(who).post<Body>(path, { json, headers: { "Idempotency-Key": key } });

/** Bytes of the key's row. */
async function sizeOf(key: string, who: Person): Promise<number> {
  const hash = keyHashOf({ clientId: who.app.client_id, userId: who.id }, key);
  const [row] = await sql<{ size: number }>(
    "select octet_length(k::text) as size from idempotency_keys k where key_hash = $1",
    [hash],
  );
  return row?.size ?? 0;
}

test("belongs to the query too: a repetition without its secret gets nothing", async () => {
  const [bo, key] = [await createUser(), randomUUID()];
  const { id, secret } = await createTrack(ana, { sharing: "private" });
  const say = (query: string) =>
    post<Comment & ErrorReply>(`/tracks/${id}/comments${query}`, { comment: { body: "Here" } }, key, bo);
  const first = await say(`?secret_token=${secret}`);
  expect(first.status).toBe(201);
  const without = await say("");
  expect([without.status, without.body.errors[0]?.error_message]).toEqual([
    422,
    expect.stringMatching(/^Idempotency-Key: /),
  ]);
  expect((await say(`?secret_token=${secret}`)).body).toEqual(first.body);
});

test("keeps no refusal by a budget, not for a moment, which a repetition at the same time would take for a success", async () => {
  const bo = await createUser();
  await use(bo, "likes", 1_000);
  const { status, headers } = await post(
    `/likes/tracks/${(await createTrack(ana)).id}`,
    undefined,
    randomUUID(),
    bo,
  );
  // Another statement would free the key.
  expect([status, headers.get("Server-Timing")]).toEqual([429, expect.stringMatching(/queries: 1\b/)]);
});

test("stores replies up to 64 KiB; of a larger one only the id, whose current state is shown", async () => {
  const bo = await createUser({ plan: "artist" });
  const description = "é".repeat(4_000);
  const tracks = await Promise.all(Array.from({ length: 12 }, () => createTrack(bo, { description })));
  const make = (some: StoredTrack[], key: string) =>
    post<Playlist>(
      "/playlists",
      { playlist: { title: "First", tracks: some.map(({ id }) => ({ id })) } },
      key,
      bo,
    );
  for (const [some, title] of [
    [tracks.slice(0, 2), "First"],
    [tracks, "Second"],
  ] as const) {
    const key = randomUUID();
    const first = await make([...some], key);
    expect([first.status, first.body.tracks?.length]).toEqual([201, some.length]);
    await api.as(bo).put(`/playlists/${first.body.id}`, { json: { playlist: { title: "Second" } } });
    const again = await make([...some], key);
    expect([again.status, again.body.title, again.body.tracks?.length]).toEqual([201, title, some.length]);
    expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await sizeOf(key, bo)).toBeLessThan(70_000);
    await api.as(bo).delete(`/playlists/${first.body.id}`);
    expect((await make([...some], key)).status).toBe(title === "First" ? 201 : 409);
  }
});

test("a track with a long description is encoded again once under a key, and its repetition shows it", async () => {
  const bo = await createUser();
  const track = await createTrack(bo, { state: "failed", description: "é".repeat(40_000) });
  await sql(
    "update encoding_jobs set failure_reason = 'stalled', failure_retryable = true where track_id = $1",
    [track.id],
  );
  const key = randomUUID();
  const retry = () => post<Track>(`/tracks/${track.id}/retry`, undefined, key, bo);
  expect((await retry()).status).toBe(200);
  const again = await retry();
  expect([again.status, again.body.id, again.headers.get("Location")]).toEqual([200, track.id, null]);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  const [job] = await sql("select generation from encoding_jobs where track_id = $1", [track.id]);
  expect(job).toEqual({ generation: 2 });
});

test("a token that may not read gets a large reply again, a release's too", async () => {
  const app = await createClientApp();
  const { user, browser } = await createVisitor("artist");
  const { parameters } = await browser.approve(authorizePath(app, { scope: "tracks playlists" }));
  const granted = await exchange(app, parameters.get("code") ?? "");
  const { access_token } = (await granted.json()) as { access_token: string };
  const writer = api.as({ token: access_token });
  const description = "é".repeat(4_000);
  const tracks = await Promise.all(Array.from({ length: 12 }, () => createTrack(user, { description })));
  const fields = { title: "Long", tracks: tracks.map(({ id }) => ({ id })) };
  for (const [path, json] of [
    ["/playlists", { playlist: fields }],
    ["/releases", { release: fields }],
  ] as const) {
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await writer.post<Playlist>(path, { json, headers });
    const again = await writer.post<Playlist>(path, { json, headers });
    expect([path, first.status, again.status, again.body.id]).toEqual([path, 201, 201, first.body.id]);
    expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await writer.get(`/playlists/${first.body.id}`)).status).toBe(403);
  }
});

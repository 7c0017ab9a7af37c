import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack, createReadyUpload, shortWav } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";

const DAY_MS = 86_400_000;

/** A time in RFC 3339, by whole seconds. */
const inDays = (days: number) => `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`;

let owner: Person;
let other: Person;

beforeAll(async () => {
  [owner, other] = [await createUser(), await createUser()];
});

type Kind = "track" | "playlist";
type Item = Track | Playlist;

const create = (kind: Kind, fields: Record<string, unknown>): Promise<{ id: number }> =>
  kind === "track" ? createPlayableTrack(owner, fields) : createPlaylist(owner, fields);

const read = async (who: Person, kind: Kind, { id }: { id: number }) =>
  (await api.as(who).get<Item>(`/${kind}s/${id}`)).body;

const change = (kind: Kind, { id }: { id: number }, fields: Record<string, unknown>) =>
  api
    .as(owner)
    .put<Item & { errors: { error_message: string }[] }>(`/${kind}s/${id}`, { json: { [kind]: fields } });

describe.each(["track", "playlist"] as const)("a %s", (kind) => {
  test("is private until the time that came with its creation, in JSON and in forms", async () => {
    const publishAt = inDays(7);
    const made =
      kind === "track"
        ? { upload_id: (await createReadyUpload(owner, shortWav())).id, title: "Soon" }
        : { title: "Soon" };
    const inJson = await api.as(owner).post<Item>(`/${kind}s`, {
      json: { [kind]: { ...made, sharing: "public", publish_at: publishAt } },
    });
    expect(inJson.status).toBe(201);
    expect(inJson.body).toMatchObject({ sharing: "private", publish_at: publishAt, published_at: null });
    const again = kind === "track" ? { upload_id: (await createReadyUpload(owner, shortWav())).id } : {};
    const form = { ...again, title: "Soon", publish_at: publishAt.replace("Z", "+00:00") };
    const inForm = await api.as(owner).post<Item>(`/${kind}s`, {
      form: Object.fromEntries(
        Object.entries(form).map(([name, value]) => [`${kind}[${name}]`, String(value)]),
      ),
    });
    expect(inForm.status).toBe(201);
    expect(inForm.body).toMatchObject({ sharing: "private", publish_at: publishAt });
  });

  test("keeps its time when its owner saves what was read, and when an older client saves the rest", async () => {
    const one = await create(kind, { sharing: "private" });
    const publishAt = inDays(3);
    expect((await change(kind, one, { publish_at: publishAt })).body.publish_at).toBe(publishAt);
    expect((await change(kind, one, { publish_at: publishAt, sharing: "private" })).body.publish_at).toBe(
      publishAt,
    );
    expect((await change(kind, one, { title: "Other", sharing: "private" })).body.publish_at).toBe(publishAt);
    const later = inDays(4);
    const { body } = await change(kind, one, { publish_at: later, sharing: "public" });
    expect(body).toMatchObject({ sharing: "private", publish_at: later });
  });

  test.each([null, ""])("loses its time by %j and stays private", async (nothing) => {
    const one = await create(kind, { sharing: "private" });
    await change(kind, one, { publish_at: inDays(3) });
    expect((await change(kind, one, { publish_at: nothing })).body).toMatchObject({
      sharing: "private",
      publish_at: null,
    });
  });

  test("is public at once and loses its time by sharing=public alone", async () => {
    const one = await create(kind, { sharing: "private" });
    await change(kind, one, { publish_at: inDays(3) });
    const { body } = await change(kind, one, { sharing: "public" });
    expect(body).toMatchObject({ sharing: "public", publish_at: null });
    expect(Date.parse(body.published_at ?? "")).toBeGreaterThan(Date.now() - 60_000);
  });

  test("tells its time to its owner alone", async () => {
    const one = await create(kind, { sharing: "private" });
    const { body } = await change(kind, one, { publish_at: inDays(3) });
    const link = `/${kind}s/${one.id}?secret_token=${body.secret_token}`;
    expect((await api.as(owner).get<Item>(link)).body.publish_at).not.toBeNull();
    expect((await api.as(other).get<Item>(link)).body).toMatchObject({
      publish_at: null,
      published_at: null,
    });
  });

  test("422: a time in the past, too far ahead, without a zone, or of something public", async () => {
    const one = await create(kind, { sharing: "private" });
    const shown = await create(kind, { sharing: "public" });
    for (const [which, publishAt, problem] of [
      [one, inDays(-1), "has passed"],
      [one, inDays(731), "must be within 730 days"],
      [one, "2030-02-30T10:00:00Z", "RFC 3339"],
      [one, "2030-02-20T10:00", "RFC 3339"],
      [one, 5, "RFC 3339"],
      [shown, inDays(2), "must be empty for a public"],
    ] as const) {
      const { status, body } = await change(kind, which, { publish_at: publishAt, sharing: undefined });
      expect(status, String(publishAt)).toBe(422);
      expect(body.errors[0]?.error_message).toContain(`${kind}[publish_at]`);
      expect(body.errors[0]?.error_message).toContain(problem);
    }
    expect((await read(owner, kind, one)).publish_at).toBeNull();
    expect((await read(owner, kind, shown)).sharing).toBe("public");
    const past = await api.as(owner).post<Item>(`/${kind}s`, {
      json: { [kind]: { title: "Late", upload_id: 1, publish_at: inDays(-1) } },
    });
    expect(past.status).toBe(422);
  });

  test("is hidden until its time if it was public and is made private with it, and keeps its first publication", async () => {
    const one = await create(kind, { sharing: "public" });
    const { published_at } = await read(other, kind, one);
    expect(published_at).not.toBeNull();
    const { body } = await change(kind, one, { sharing: "private", publish_at: inDays(1) });
    expect(body).toMatchObject({ sharing: "private", published_at });
    expect((await api.as(other).get(`/${kind}s/${one.id}`)).status).toBe(404);
  });
});

test("a failed track's time that has passed is saved again without complaint", async () => {
  const one = await create("track", { sharing: "private" });
  await sql(
    "update tracks set state = 'failed', publish_at = date_trunc('second', now()) - interval '1 hour' where id = $1",
    [one.id],
  );
  const { publish_at } = await read(owner, "track", one);
  const { status, body } = await change("track", one, { title: "Later", publish_at });
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: "Later", sharing: "private", publish_at });
});

test("403: a taken-down track gets no time", async () => {
  const one = await create("track", { sharing: "private" });
  await operate("track take-down", "--track", String(one.id), "--reason", "a test");
  const { status, body } = await change("track", one, { publish_at: inDays(1) });
  expect(status).toBe(403);
  expect(body.errors[0]?.error_message).toContain("taken down");
});

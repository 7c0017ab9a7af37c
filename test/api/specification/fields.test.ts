import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../../functions/api/apps/representation.ts";
import type { Comment } from "../../../functions/api/comments/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createJpeg } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql, stack } from "../../support/stack.ts";
import { createPlayableTrack, uploadFinishedTrack } from "../../support/tracks.ts";
import { createComment, pathOf } from "../comments/comments.support.ts";
import { createPlaylist, named } from "../playlists/playlists.ts";
import { type Field, tables } from "./fields.ts";

type Resource = Record<string, unknown>;

/** A resource of each kind with every field set, and how its owner reads and writes it. */
interface Sample {
  read: string;
  write?: { path: string; wrapper: string };
}

let ana: Person;
let fields: Record<string, Field[]>;
const samples: Record<string, Sample> = {};
const seen: Record<string, Resource> = {};

const ABOUT_ALL = {
  title: "A song",
  embeddable_by: "all",
  purchase_url: "https://shop.example.com/",
  purchase_title: "Buy",
  description: "All of it",
  label_name: "Records",
  genre: "Folk",
  tag_list: "one",
  release: "R-1",
  release_day: 1,
  release_month: 2,
  release_year: 2003,
};
const ABOUT_TRACKS = {
  downloadable: true,
  track_type: "live",
  video_url: "https://video.example.com/",
  bpm: 120,
  isrc: "DEAB00000001",
  key_signature: "C",
};

async function illustrated(path: string, field: string): Promise<void> {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(await createJpeg())], { type: "image/jpeg" }), "a.jpg");
  expect((await api.as(ana).put(path, { raw: form })).status).toBe(200);
}

beforeAll(async () => {
  ana = await createUser({ plan: "artist" });
  const label = await createUser();
  fields = tables(stack.urls.api, stack.urls.api, label.id);
  const about = { ...ABOUT_ALL, label_id: label.id };
  const track = await uploadFinishedTrack(ana, { ...about, ...ABOUT_TRACKS });
  const playlist = await createPlaylist(ana, {
    ...about,
    ean: "4006381333931",
    playlist_type: "album",
    tracks: named([track.id]),
  });
  const comment = await createComment(ana, track, { timestamp: 5 });
  await illustrated(`/tracks/${track.id}`, "track[artwork_data]");
  await illustrated(`/playlists/${playlist.id}`, "playlist[artwork_data]");
  await illustrated("/me", "user[avatar_data]");
  const profile = { description: "Sings", website: "https://example.com/", website_title: "Home" };
  await api.as(ana).put("/me", { json: { user: profile } });
  await sql(
    `update users set country = 'DE', city = 'Berlin', full_name = 'Ana A', discogs_name = 'ana', myspace_name = 'ana'
     where id = $1`,
    [ana.id],
  );
  await sql("update apps set external_url = 'https://app.example.com/' where id = $1", [ana.app.id]);
  const me = { path: "/me", wrapper: "user" };
  samples.user = { read: `/users/${ana.id}`, write: me };
  samples.me = { read: "/me", write: me };
  samples.track = {
    read: `/tracks/${track.id}`,
    write: { path: `/tracks/${track.id}`, wrapper: "track" },
  };
  samples.playlist = {
    read: `/playlists/${playlist.id}`,
    write: { path: `/playlists/${playlist.id}`, wrapper: "playlist" },
  };
  samples.comment = {
    read: `/comments/${comment.id}`,
    write: { path: pathOf(comment), wrapper: "comment" },
  };
  samples.app = { read: `/apps/${ana.app.id}` };
  for (const name of Object.keys(samples)) seen[name] = await readAgain(name);
});

async function readAgain(name: string): Promise<Resource> {
  const { status, body } = await api
    .as(ana)
    .get<Resource & (Track | Comment | App)>(samples[name]?.read ?? "");
  expect(status).toBe(200);
  return body;
}

async function written(name: string, changes: Resource): Promise<Resource> {
  const { path, wrapper } = samples[name]?.write ?? { path: "", wrapper: "" };
  const { status, body } = await api.as(ana).put(path, { json: { [wrapper]: changes } });
  expect(status, JSON.stringify(body)).toBe(200);
  return readAgain(name);
}

/** Another value of the same type. */
function forged(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return typeof value === "string" ? `${value}-forged` : { id: 1 };
}

/** The rows do not depend on the service's address. */
const ROWS = Object.entries(tables("", "", 1)).flatMap(([resource, table]) =>
  table.map(([field, access]) => ({ resource, field, access })),
);
const rowOf = (resource: string, field: string) => {
  const row = fields[resource]?.find(([name]) => name === field);
  if (!row) throw new Error(`${resource} has no ${field}`);
  return row;
};

describe("resources and their fields", () => {
  test.for(ROWS)("$resource: $field has its type", ({ resource, field }) => {
    const [, , type] = rowOf(resource, field);
    const { error } = type.safeParse(seen[resource]?.[field]);
    expect(error, JSON.stringify(seen[resource]?.[field])).toBeUndefined();
  });

  test.for(ROWS.filter(({ access, resource }) => access === "RO" && resource !== "app"))(
    "$resource: $field is read-only",
    async ({ resource, field }) => {
      const before = (await readAgain(resource))[field];
      expect((await written(resource, { [field]: forged(before) }))[field]).toEqual(before);
    },
  );

  // A playlist's tracks have another form when written: see below.
  test.for(ROWS.filter(({ access, field }) => access === "RW" && field !== "tracks"))(
    "$resource: $field is written and read back",
    async ({ resource, field }) => {
      const [, , , value] = rowOf(resource, field);
      expect((await written(resource, { [field]: value }))[field]).toEqual(value);
    },
  );

  test("playlist: tracks is written by ids and adds to existing ones", async () => {
    const { id } = await createPlayableTrack(ana);
    const existing = (await readAgain("playlist")).tracks as { id: number }[];
    const { tracks } = await written("playlist", { tracks: [{ id }] });
    expect((tracks as { id: number }[]).map((each) => each.id)).toEqual([
      ...existing.map((each) => each.id),
      id,
    ]);
  });
});

import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { Playlist } from "../../../functions/api/playlists/representation.ts";
import type { Track } from "../../../functions/api/tracks/representation.ts";
import { api } from "../../support/api.ts";
import { createJpeg } from "../../support/images.ts";
import { createUser, type Person } from "../../support/people.ts";
import { createPlayableTrack, createTrack, type StoredTrack } from "../../support/tracks.ts";
import { createPlaylist } from "../playlists/playlists.ts";

const LICENSES = [
  "no-rights-reserved",
  "all-rights-reserved",
  "cc-by",
  "cc-by-nc",
  "cc-by-nd",
  "cc-by-sa",
  "cc-by-nc-nd",
  "cc-by-nc-sa",
];
const TRACK_TYPES = [
  "original",
  "remix",
  "live",
  "recording",
  "spoken",
  "podcast",
  "demo",
  "in progress",
  "stem",
  "loop",
  "sound effect",
  "sample",
  "other",
];
const PLAYLIST_TYPES = [
  "ep single",
  "album",
  "compilation",
  "project files",
  "archive",
  "showcase",
  "demo",
  "sample pack",
  "other",
];

/** Writable enumerations by wrapper and field. */
const WRITTEN: [wrapper: "track" | "playlist", field: string, values: string[]][] = [
  ["track", "sharing", ["public", "private"]],
  ["track", "embeddable_by", ["all", "me", "none"]],
  ["track", "license", LICENSES],
  ["track", "track_type", TRACK_TYPES],
  ["playlist", "sharing", ["public", "private"]],
  ["playlist", "embeddable_by", ["all", "me", "none"]],
  ["playlist", "license", LICENSES],
  ["playlist", "playlist_type", PLAYLIST_TYPES],
];

/** Read-only enumerations, with the row that produces each value. */
const TOLD: [field: "state" | "access", value: string, columns: Record<string, unknown>][] = [
  ["state", "processing", { state: "processing" }],
  ["state", "failed", { state: "failed" }],
  ["state", "finished", {}],
  ["access", "playable", {}],
  ["access", "preview", { paywall: "preview" }],
  ["access", "blocked", { streamable: false }],
];

/** Pixels per side: formats of artworks, then of avatars. */
const ARTWORKS = {
  t500x500: 500,
  crop: 400,
  t300x300: 300,
  large: 100,
  t67x67: 67,
  badge: 47,
  small: 32,
  tiny: 20,
  mini: 16,
};
const { t67x67: _, ...shared } = ARTWORKS;
const AVATARS = { ...shared, tiny: 18 };

let ana: Person;
let ben: Person;
let track: StoredTrack;
let playlist: Playlist;

beforeAll(async () => {
  [ana, ben] = [await createUser({ plan: "artist" }), await createUser()];
  track = await createPlayableTrack(ana);
  playlist = await createPlaylist(ana);
});

const pathOf = (wrapper: string) =>
  wrapper === "track" ? `/tracks/${track.id}` : `/playlists/${playlist.id}`;

const put = (wrapper: string, field: string, value: unknown) =>
  api.as(ana).put<Record<string, unknown>>(pathOf(wrapper), { json: { [wrapper]: { [field]: value } } });

describe("enumerations", () => {
  test.for(WRITTEN.flatMap(([wrapper, field, values]) => values.map((value) => ({ wrapper, field, value }))))(
    "$wrapper[$field] may be $value",
    async ({ wrapper, field, value }) => {
      const { status, body } = await put(wrapper, field, value);
      expect([status, body[field]]).toEqual([200, value]);
    },
  );

  test.for(WRITTEN)("%s[%s] accepts nothing else", async ([wrapper, field, [first = ""]]) => {
    for (const value of ["else", first.toUpperCase(), `${first} `, [first], 1])
      expect([value, (await put(wrapper, field, value)).status]).toEqual([value, 422]);
  });

  test.for(TOLD)("%s is shown as %s", async ([field, value, { state, ...columns }]) => {
    const one =
      state === undefined
        ? await createPlayableTrack(ana, columns)
        : await createTrack(ana, { state, ...columns });
    expect((await api.as(ben).get<Track>(`/tracks/${one.id}`)).body[field]).toBe(value);
  });
});

describe("formats of pictures", () => {
  async function jpegSize(url: string): Promise<unknown[]> {
    const { format, width, height } = await sharp(await (await fetch(url)).arrayBuffer()).metadata();
    return [format, width, height];
  }

  let artwork: string;
  let avatar: string;

  beforeAll(async () => {
    const picture = new Blob([new Uint8Array(await createJpeg(900, 600))], { type: "image/jpeg" });
    const [forTrack, forUser] = [new FormData(), new FormData()];
    forTrack.set("track[artwork_data]", picture, "a.jpg");
    forUser.set("user[avatar_data]", picture, "a.jpg");
    artwork = (await api.as(ana).put<Track>(`/tracks/${track.id}`, { raw: forTrack })).body.artwork_url ?? "";
    avatar = (await api.as(ana).put<{ avatar_url: string }>("/me", { raw: forUser })).body.avatar_url;
  });

  test.for(Object.entries(ARTWORKS))("an artwork as %s has %i pixels per side", async ([format, side]) => {
    expect(await jpegSize(artwork.replace("large", format))).toEqual(["jpeg", side, side]);
  });

  test.for(Object.entries(AVATARS))("an avatar as %s has %i pixels per side", async ([format, side]) => {
    expect(await jpegSize(avatar.replace("large", format))).toEqual(["jpeg", side, side]);
  });

  test("t67x67 exists for artworks only", async () => {
    expect((await fetch(avatar.replace("large", "t67x67"))).status).toBe(404);
  });
});

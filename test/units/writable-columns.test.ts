import { expect, test } from "vitest";
import { PlaylistChangesBody } from "../../functions/api/playlists/input.ts";
import { TrackChangesBody } from "../../functions/api/tracks/input.ts";
import { SET_FIELDS } from "../../functions/web/pages/own/set-fields.ts";
import { TRACK_FIELDS } from "../../functions/web/pages/own/track-fields.ts";
import { read } from "../support/structure.ts";

/** Fields that are no column: their values become those of others. */
const without = (body: object, ...names: string[]) =>
  Object.keys(body).filter((name) => !names.includes(name));

const track = without(
  TrackChangesBody.shape.track.shape,
  "metadata_artist",
  "release_date",
  "artwork_data",
  "asset_data",
);
const playlist = without(
  PlaylistChangesBody.shape.playlist.shape,
  "set_type",
  "release_date",
  "artwork_data",
  "tracks",
);

test.each([
  ["tracks/create_track.sql", track, (name: string) => `wanted.${name}`],
  ["tracks/update_track.sql", track, (name: string) => `${name} = wanted.${name}`],
  ["playlists/create_playlist.sql", playlist, (name: string) => `wanted.${name}`],
  ["playlists/update_playlist.sql", playlist, (name: string) => `${name} = wanted.${name}`],
] as const)("%s stores every field that the API lets owners write", (file, names, stored) => {
  const sql = read(`db/functions/${file}`);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !new RegExp(`\\b${stored(name)}\\b`).test(sql))).toEqual([]);
});

test.each([
  ["track", [...track, "metadata_artist"], TRACK_FIELDS],
  ["set", playlist, SET_FIELDS],
])("the form of a %s edits every field that the API lets owners write", (_, names, groups) => {
  const edited = groups.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(edited.sort()).toEqual([...names].sort());
});

import { expect, test } from "vitest";
import { PlaylistTracksBody } from "../../functions/api/playlists/input.ts";

const read = (tracks: object[]) => {
  const { data, error } = PlaylistTracksBody.safeParse({ tracks });
  return data?.tracks ?? error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
};
const listOf = (length: number) => Array.from({ length }, (_, at) => at + 1).join(",");
const TOO_MANY = ["tracks may name 1000 tracks at most"];

test("a playlist's tracks may be lists of ids, each track once", () => {
  expect(read([{ id: "1, 2,soundcloud:tracks:3" }, { urn: "soundcloud:tracks:2" }, { id: 4 }])).toEqual([
    1, 2, 3, 4,
  ]);
  expect(read([{ id: 1 }, {}])).toEqual(["tracks.1 must have an id or a urn"]);
  expect(read([{ id: 1 }, { id: "2,x,y" }, { urn: "soundcloud:users:3" }])).toEqual([
    "tracks.1.id must be an id or a URN",
    "tracks.2.urn must be an id or a URN",
  ]);
});

test("a thousand ids are the most, in however many lists they stand", () => {
  expect(read([{ id: listOf(1_000) }])).toHaveLength(1_000);
  expect(read([{ id: listOf(1_001) }])).toEqual(TOO_MANY);
  expect(read([{ id: listOf(999) }, { urn: "soundcloud:tracks:1" }, { id: "x" }])).toEqual(TOO_MANY);
  expect(read(Array.from({ length: 1_000 }, () => ({ id: listOf(200) })))).toEqual(TOO_MANY);
});

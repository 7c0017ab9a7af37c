import { expect, test } from "vitest";
import { asset } from "./assets.support.ts";

interface Grouping {
  grouped(
    comments: object[],
    lengthS: number,
    width: number,
    apart: number,
  ): { x: number; comments: { id: number }[] }[];
}

/** The places of avatars on a waveform of 1,000 pixels and 100 seconds, with the ids of their comments. */
async function placed(moments: number[], apart = 32) {
  const { grouped }: Grouping = await asset("player/waveform-moments.ts");
  const comments = moments.map((at, id) => ({ id, at }));
  return grouped(comments, 100, 1_000, apart).map((group) => [group.x, group.comments.map(({ id }) => id)]);
}

test("each comment has its place where there is room, and none beyond the track's end", async () => {
  expect(await placed([20_000, 50_000, 100_001])).toEqual([
    [200, [0]],
    [500, [1]],
  ]);
});

test("an avatar at either end stays within the waveform", async () => {
  expect(await placed([0, 100_000])).toEqual([
    [14, [0]],
    [986, [1]],
  ]);
});

test("comments that would overlap the first of a group join it, however many there are", async () => {
  expect(await placed([20_000, 21_000, 23_100, 23_200, 24_000])).toEqual([
    [200, [0, 1, 2]],
    [232, [3, 4]],
  ]);
});

test("fingers get more room", async () => {
  expect(await placed([20_000, 23_300, 24_500], 44)).toEqual([
    [200, [0, 1]],
    [245, [2]],
  ]);
});

test("a track of unknown length has none", async () => {
  const { grouped }: Grouping = await asset("player/waveform-moments.ts");
  expect(grouped([{ id: 1, at: 0 }], 0, 1_000, 32)).toEqual([]);
});

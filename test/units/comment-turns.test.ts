import { expect, test } from "vitest";
import { asset } from "./assets.support.ts";

interface Turns {
  inTurns(comments: object[]): object[];
  textAt(turns: object[], seconds: number, isHeard: boolean): string;
}

const script = () => asset("player/waveform-comments.ts") as Promise<Turns>;

const said = async (moments: number[], atSeconds: number[]) => {
  const { inTurns, textAt } = await script();
  const turns = inTurns(moments.map((at, index) => ({ at, by: "ana", text: String(index + 1) })));
  return atSeconds.map((at) => textAt(turns, at, true).replace("ana: ", ""));
};

test("comments of one second are said one after another, each in the order of the list", async () => {
  expect(await said([10_000, 10_000, 10_400], [9.9, 10, 11.4, 11.5, 13, 18.9, 19])).toEqual([
    "",
    "1",
    "1",
    "2",
    "3",
    "3",
    "",
  ]);
});

test("a comment that stands alone begins at its moment", async () => {
  expect(await said([0, 2_000, 30_000], [0, 1.9, 2, 8.1, 30])).toEqual(["1", "1", "2", "", "3"]);
});

test("a crowd of comments delays no later one for long", async () => {
  const crowd = Array.from({ length: 50 }, () => 10_000);
  expect(await said([...crowd, 30_000], [10, 19, 24.9, 30])).toEqual(["1", "7", "7", "51"]);
});

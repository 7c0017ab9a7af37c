import { expect, test } from "vitest";
import { ImageTurns } from "../../workers/transcoder/image-turns.ts";

/** Sends images of owners at once, and notes who is admitted or refused, in order. */
function send(turns: ImageTurns, owners: string[]): string[] {
  const heard: string[] = [];
  for (const owner of owners) turns.enter(owner).then((may) => heard.push(may ? owner : `${owner} refused`));
  return heard;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function leaveEach(turns: ImageTurns, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    turns.leave();
    await settled();
  }
}

test("owners take turns, each in the order of arrival", async () => {
  const turns = new ImageTurns(1, 9);
  const heard = send(turns, ["ana", "ana", "ana", "ana", "ben", "ben", "cleo"]);
  await settled();
  expect(heard).toEqual(["ana"]);
  await leaveEach(turns, 6);
  expect(heard).toEqual(["ana", "ana", "ben", "cleo", "ana", "ben", "ana"]);
});

test("a full queue drops the newest image of whoever has most in it, for another's", async () => {
  const turns = new ImageTurns(1, 3);
  const heard = send(turns, ["ana", "ana", "ana", "ana", "ana", "ben", "cleo", "ben"]);
  await settled();
  expect(heard.toSorted()).toEqual(["ana", "ana refused", "ana refused", "ana refused", "ben refused"]);
  await leaveEach(turns, 4);
  expect(heard.slice(5)).toEqual(["ana", "ben", "cleo"]);
});

test("a place that nobody waits for is free again", async () => {
  const turns = new ImageTurns(2, 0);
  const heard = send(turns, ["ana", "ana", "ben"]);
  await leaveEach(turns, 2);
  const later = send(turns, ["ben", "cleo", "ana"]);
  await settled();
  expect([...heard, ...later]).toEqual(["ana", "ana", "ben refused", "ben", "cleo", "ana refused"]);
});

import { beforeEach, expect, test, vi } from "vitest";
import { asset } from "./assets.support.ts";
import { asInBrowser, FakeAudio, type Player, SOURCES, settled } from "./fake-audio.support.ts";

asInBrowser();

/** Answers of the service about tracks, by id. */
const answers = new Map<number, () => Response | Promise<Response>>();
let player: Player;

beforeEach(async () => {
  answers.clear();
  ({ player } = await asset("player/player.ts"));
  vi.stubGlobal("fetch", async (address: string) => {
    const id = Number(/sources\/(\d+)/.exec(address)?.[1]);
    return answers.get(id)?.() ?? Response.json(SOURCES);
  });
});

const gone = () => new Response(null, { status: 404 });
const playing = () => FakeAudio.made.find(({ paused }) => !paused);

function end() {
  const audio = playing();
  audio?.dispatchEvent(new Event("ended"));
  return settled();
}

test("the queue passes over tracks that are gone", async () => {
  for (const id of [31, 32]) answers.set(id, gone);
  await player.playList([{ id: 30 }, { id: 31 }, { id: 32 }, { id: 33 }], 0);
  await end();
  expect([player.entry.id, player.trouble, playing() !== undefined]).toEqual([33, "", true]);
});

test("a queue of which nothing is left tries each track once", async () => {
  await player.playList([{ id: 35 }, { id: 36 }, { id: 37 }], 0);
  for (const id of [36, 37]) answers.set(id, gone);
  await end();
  expect([player.entry.id, player.trouble]).toEqual([37, "This track is no longer there."]);
});

test("the queue passes over a track that is found gone when it fails to load", async () => {
  const { learn } = await asset("player/player-sources.ts");
  learn({ id: 41 }, SOURCES);
  answers.set(41, gone);
  await player.playList([{ id: 40 }, { id: 41 }, { id: 42 }], 0);
  await end();
  expect(player.entry.id).toBe(41);
  playing()?.fail();
  await settled();
  expect([player.entry.id, player.trouble, playing() !== undefined]).toEqual([42, "", true]);
});

test("a pause while the queue asks for a track that is gone stays a pause", async () => {
  let answer = (_: Response) => {};
  answers.set(51, () => new Promise((resolve) => (answer = resolve)));
  await player.playList([{ id: 50 }, { id: 51 }, { id: 52 }], 0);
  await end();
  player.pause();
  answer(gone());
  await settled();
  expect([player.entry.id, player.trouble, playing()]).toEqual([
    51,
    "This track is no longer there.",
    undefined,
  ]);
});

test("a track that was heard to its end begins anew after a reload", async () => {
  const stored = { player: "" };
  vi.stubGlobal("sessionStorage", {
    setItem: (_: string, text: string) => Object.assign(stored, { player: text }),
  });
  await asset("player/player-memory.ts");
  await player.playList([{ id: 60 }], 0);
  const audio = playing() ?? new FakeAudio();
  const positionAt = (at: Partial<FakeAudio>, event: string) => {
    Object.assign(audio, at).dispatchEvent(new Event(event));
    return JSON.parse(stored.player).position;
  };
  expect(positionAt({ currentTime: 3 }, "seeked")).toBe(3);
  expect(positionAt({ currentTime: 7, paused: true, ended: true }, "ended")).toBe(0);
  audio.ended = false;
});

test("a track that is put next comes next, once, also in the order from before a shuffle", async () => {
  const { EMPTY, inserted, toggleShuffle } = await asset("player/player-queue.ts");
  const list = [{ id: 1 }, { id: 2 }, { id: 3 }];
  const queue = { ...EMPTY, entries: list, at: 0 };
  const idsOf = ({ entries }: { entries: { id: number }[] }) => entries.map(({ id }) => id);
  expect(idsOf(inserted(queue, { id: 3 }, "next"))).toEqual([1, 3, 2]);
  expect(idsOf(inserted(queue, { id: 2 }, "end"))).toEqual([1, 3, 2]);
  expect(idsOf(inserted(queue, { id: 1 }, "next"))).toEqual([1, 1, 2, 3]);
  const mixed = inserted(toggleShuffle(queue), { id: 4 }, "next");
  expect(idsOf(mixed).slice(0, 2)).toEqual([1, 4]);
  expect(idsOf(toggleShuffle(mixed))).toEqual([1, 2, 3, 4]);
});

test("an entry that is moved leaves the current one where it is, and a cleared queue ends with it", async () => {
  const { EMPTY, cleared, moved } = await asset("player/player-queue.ts");
  const entries = [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }];
  const queue = { ...EMPTY, entries, at: 1, further: "/next" };
  const there = moved(queue, 3, 2);
  expect([there.entries.map(({ id }: { id: number }) => id), there.at]).toEqual([[1, 2, 4, 3], 1]);
  expect(cleared(queue)).toMatchObject({ entries: [{ id: 1 }, { id: 2 }], at: 1, further: undefined });
});

import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { asset } from "./assets.support.ts";
import { asInBrowser, FakeAudio, type Player, SOURCES, type Sound } from "./fake-audio.support.ts";

asInBrowser();

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

/** Milliseconds. */
const LONGEST_MS = 120_000;

test("both players ask once for new addresses of a host that accepts and never answers, and then say so", async () => {
  const { player }: { player: Player } = await asset("player/player.ts");
  const { learn } = await asset("player/player-sources.ts");
  learn({ id: 20 }, SOURCES);
  const fetched = vi.fn(async () => Response.json(SOURCES));
  vi.stubGlobal("fetch", fetched);
  player.playList([{ id: 20 }], 0);
  await vi.advanceTimersByTimeAsync(LONGEST_MS);
  expect([player.trouble, fetched.mock.calls.length]).toEqual([
    expect.stringContaining("Check your connection"),
    1,
  ]);

  const { EmbeddedSound } = await asset("embed/embed-sound.ts");
  const played = { sources: SOURCES, durationMs: 7_000, sound: { id: 20 } };
  const [tell, renew] = [vi.fn(), vi.fn(async () => ({ ...played }))];
  const sound: Sound = new EmbeddedSound(new FakeAudio(), { tell, renew });
  sound.change(played);
  sound.play();
  await vi.advanceTimersByTimeAsync(LONGEST_MS);
  expect(tell.mock.lastCall).toEqual(["error", expect.stringContaining("Check your connection")]);
  expect(renew).toHaveBeenCalledTimes(1);
});

test("both players ask again, and say so, when the service accepts a question and never answers", async () => {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const ends = new AbortController();
    setTimeout(() => ends.abort(new DOMException("late", "TimeoutError")), ms);
    return ends.signal;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const fetched = vi.fn(
    (_address: string, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  );
  vi.stubGlobal("fetch", fetched);
  const { player }: { player: Player } = await asset("player/player.ts");
  player.playList([{ id: 21 }], 0);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([player.trouble, fetched.mock.calls.length]).toEqual([
    expect.stringContaining("Check your connection"),
    2,
  ]);
  player.pause();

  const { openList } = await asset("embed/embed-list.ts");
  vi.stubGlobal("document", { querySelectorAll: () => [] });
  vi.stubGlobal("HTMLAnchorElement", Object);
  vi.stubGlobal("location", { href: "https://site.invalid/player/" });
  const renewed = openList({ index: 0 }).renew();
  const refused = expect(renewed).rejects.toThrow("late");
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
});

test.for([
  ["that still arrives", (audio: FakeAudio) => audio.dispatchEvent(new Event("progress")), "finished"],
  ["that still waits for its encode", () => {}, "growing"],
  ["that is paused", (_: FakeAudio, playback: { pause(): void }) => playback.pause(), "finished"],
] as const)("a track %s is not given up", async ([, each, state]) => {
  const { Playback } = await asset("player/playback.ts");
  const failed = vi.fn();
  const audio = new FakeAudio();
  const playback = new Playback(audio, { ...SOURCES, state }, failed);
  onTestFinished(() => playback.close());
  playback.play();
  // hls.js is not there, and a busy machine says so late.
  await vi.waitFor(() => expect(audio.paused).toBe(false), { timeout: 90_000 });
  for (let waited = 0; waited < LONGEST_MS; waited += 20_000) {
    await vi.advanceTimersByTimeAsync(20_000);
    each(audio, playback);
  }
  expect(failed).not.toHaveBeenCalled();
});

import { expect, test, vi } from "vitest";
import { asset } from "./assets.support.ts";
import { asInBrowser, FakeAudio, type Player, SOURCES, type Sound, settled } from "./fake-audio.support.ts";

/** A system pauses for a call, and plays on after it. A browser tells an end that nobody hears. */

asInBrowser();

const playing = () => FakeAudio.made.find(({ paused }) => !paused);

test("the site's player stays paused when the source of a track that the system paused fails", async () => {
  const { player }: { player: Player } = await asset("player/player.ts");
  vi.stubGlobal("fetch", async () => Response.json(SOURCES));
  await player.playList([{ id: 70 }], 0);
  const audio = Object.assign(playing() ?? new FakeAudio(), { readyState: 4 });
  audio.pause();
  await settled();
  audio.fail();
  await settled();
  expect(playing()).toBeUndefined();
  await player.play();
  expect(playing()).toBe(audio);
  audio.readyState = 0;
});

test("the embedded player knows that the system plays on", async () => {
  const { EmbeddedSound } = await asset("embed/embed-sound.ts");
  const audio = Object.assign(new FakeAudio(), { readyState: 4 });
  const events: string[] = [];
  const sound: Sound = new EmbeddedSound(audio, {
    tell: (event: string) => events.push(event),
    renew: async () => ({}),
  });
  sound.change({ sources: SOURCES, durationMs: 7_000, sound: { id: 71 } });
  await sound.play();
  audio.dispatchEvent(new Event("playing"));
  const states = [];
  for (const act of ["pause", "play"] as const) {
    audio[act]();
    await settled();
    if (act === "play") audio.dispatchEvent(new Event("playing"));
    states.push(sound.isPaused());
  }
  expect(states).toEqual([true, false]);
  expect(events.filter((event) => event !== "state")).toEqual(["play", "pause", "play"]);
});

test("a paused track whose end the listener moves to stays paused in both players", async () => {
  const { player }: { player: Player } = await asset("player/player.ts");
  vi.stubGlobal("fetch", async () => Response.json(SOURCES));
  await player.playList([{ id: 72 }, { id: 73 }], 0);
  const shown = playing();
  player.pause();
  shown?.dispatchEvent(new Event("ended"));
  await settled();
  expect([player.entry.id, shown?.paused]).toEqual([72, true]);

  const { EmbeddedSound } = await asset("embed/embed-sound.ts");
  const audio = new FakeAudio();
  const events: string[] = [];
  const sound: Sound = new EmbeddedSound(audio, {
    tell: (event: string) => events.push(event),
    renew: async () => ({}),
  });
  sound.change({ sources: SOURCES, durationMs: 7_000, sound: { id: 74 } });
  await sound.play();
  sound.pause();
  audio.dispatchEvent(new Event("ended"));
  expect(events).not.toContain("ended");
});

test("lock screens name the user of an embedded track without an artist, also where a browser knows few actions", async () => {
  const { describe } = await asset("embed/embed-media-session.ts");
  const shown: { metadata?: { artist: string } } = {};
  const known: string[] = [];
  const setActionHandler = (name: string) => {
    if (name === "seekto") throw new TypeError("no such action");
    known.push(name);
  };
  vi.stubGlobal("MediaMetadata", Object);
  vi.stubGlobal("navigator", { mediaSession: Object.assign(shown, { setActionHandler }) });
  const sound = { title: "A song", metadata_artist: null, user: { username: "ana" } };
  describe({ played: () => ({ sound }) }, { beside: () => undefined }, {});
  expect(shown.metadata?.artist).toBe("ana");
  expect(known).toEqual(["play", "pause", "nexttrack", "previoustrack"]);
});

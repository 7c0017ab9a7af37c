import { expect, onTestFinished, test, vi } from "vitest";
import { asset } from "./assets.support.ts";
import { asInBrowser, FakeAudio, type Player, SOURCES, type Sound, settled } from "./fake-audio.support.ts";

interface Prepares {
  expect(entry: object, progress: { playedS: number; leftS: number }): void;
}

asInBrowser();

test("a track that cannot be prepared is not tried again at every look", async () => {
  const { Spare } = await asset("player/player-spare.ts");
  const { learn } = await asset("player/player-sources.ts");
  learn({ id: 1 }, SOURCES);
  const { Engine } = await asset("player/engine.ts");
  const spare: Prepares = new Spare(new Engine(new FakeAudio(), {}));
  FakeAudio.failsAtOnce = true;
  const before = FakeAudio.loaded.length;
  for (let look = 0; look < 4; look++) {
    spare.expect({ id: 1 }, { playedS: 10 + look, leftS: 100 });
    await settled();
  }
  FakeAudio.failsAtOnce = false;
  expect(FakeAudio.loaded.length - before).toBe(1);
});

test("the site's player stays paused when the source of a paused track fails, and plays on when asked", async () => {
  const { player }: { player: Player } = await asset("player/player.ts");
  const { learn } = await asset("player/player-sources.ts");
  learn({ id: 2 }, SOURCES);
  vi.stubGlobal("fetch", async () => Response.json(SOURCES));
  const playing = () => FakeAudio.made.filter(({ paused }) => !paused);
  await player.playList([{ id: 2 }], 0);
  const [audio] = playing();
  player.pause();
  audio?.fail();
  await settled();
  expect(playing()).toEqual([]);
  await player.play();
  expect(playing()).toEqual([audio]);
});

test("new addresses of a source that begins and fails are asked for once, and both players say that it does not play", async () => {
  FakeAudio.failsOnceBegun = true;
  onTestFinished(() => {
    FakeAudio.failsOnceBegun = false;
  });
  const { player }: { player: Player } = await asset("player/player.ts");
  const { learn } = await asset("player/player-sources.ts");
  learn({ id: 6 }, SOURCES);
  const fetched = vi.fn(async () => Response.json(SOURCES));
  vi.stubGlobal("fetch", fetched);
  await player.playList([{ id: 6 }], 0);
  await expect.poll(() => player.trouble).toContain("could not be played");
  expect(fetched).toHaveBeenCalledTimes(1);

  const { EmbeddedSound } = await asset("embed/embed-sound.ts");
  const played = { sources: SOURCES, durationMs: 7_000, sound: { id: 6 } };
  const [tell, renew] = [vi.fn(), vi.fn(async () => ({ ...played }))];
  const sound: Sound = new EmbeddedSound(new FakeAudio(), { tell, renew });
  sound.change(played);
  await sound.play();
  await expect
    .poll(() => tell.mock.lastCall)
    .toEqual(["error", expect.stringContaining("could not be played")]);
  expect(renew).toHaveBeenCalledTimes(1);
});

test.for([
  [404, "This track is no longer there."],
  [403, "This track is no longer there."],
  [429, "The track could not be played. Try again later, or in another browser."],
])(
  "the embedded player does not blame the connection when new addresses are answered %i",
  async ([status, why]) => {
    const { EmbeddedSound } = await asset("embed/embed-sound.ts");
    const audio = new FakeAudio();
    const tell = vi.fn();
    const renew = () => Promise.reject(Object.assign(new Error("no player"), { status }));
    const sound: Sound = new EmbeddedSound(audio, { tell, renew });
    sound.change({ sources: SOURCES, durationMs: 7_000, sound: { id: 7 } });
    await sound.play();
    audio.fail();
    await expect.poll(() => tell.mock.lastCall).toEqual(["error", why]);
  },
);

test.for(["before its source fails", "while new addresses are asked for"])(
  "the embedded player stays paused when it was paused %s",
  async (moment) => {
    const { EmbeddedSound } = await asset("embed/embed-sound.ts");
    const audio = new FakeAudio();
    const events: string[] = [];
    const played = { sources: SOURCES, durationMs: 7_000, sound: { id: 3 } };
    const sound: Sound = new EmbeddedSound(audio, {
      tell: (event: string) => events.push(event),
      renew: async () => {
        sound.pause();
        return { ...played };
      },
    });
    sound.change(played);
    await sound.play();
    audio.dispatchEvent(new Event("playing"));
    if (moment.startsWith("before")) sound.pause();
    audio.fail();
    await settled();
    expect([audio.paused, sound.isPaused()]).toEqual([true, true]);
    expect(events.filter((event) => event !== "state")).toEqual(["play", "pause"]);
    await sound.play();
    expect([audio.paused, sound.isPaused()]).toEqual([false, false]);
    // The pause was so long that the new addresses have expired, too.
    audio.fail();
    await settled();
    expect(events).not.toContain("error");
  },
);

test("the embedded player stays where it was while new addresses are asked for, and goes on where one seeks", async () => {
  const { EmbeddedSound } = await asset("embed/embed-sound.ts");
  const audio = new FakeAudio();
  const positions: number[] = [];
  const played = { sources: SOURCES, durationMs: 7_000, sound: { id: 5 } };
  const sound: Sound = new EmbeddedSound(audio, {
    tell() {},
    renew: async () => {
      positions.push(sound.position());
      sound.seek(5);
      return { ...played };
    },
  });
  sound.change(played);
  await sound.play();
  audio.currentTime = 3;
  audio.fail();
  await settled();
  expect([...positions, sound.position()]).toEqual([3, 5]);
});

test("the embedded player asks for the track that it holds anew, not for one on its way", async () => {
  const { openList } = await asset("embed/embed-list.ts");
  class Link {
    dataset = {};
    readonly href: string;
    constructor(href: string) {
      this.href = href;
    }
    removeAttribute() {}
    setAttribute() {}
    scrollIntoView() {}
  }
  vi.stubGlobal("HTMLAnchorElement", Link);
  vi.stubGlobal("document", { querySelectorAll: () => [new Link("/held"), new Link("/coming")] });
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return new Promise(() => {});
  });
  const list = openList({ index: 0 });
  list.go(1);
  list.renew();
  expect(asked).toEqual(["/coming", "/held"]);
});

test("the moment of a comment follows its track again after another was played, until it is typed", async () => {
  class Field {
    value = "";
  }
  const shown = { at: 0, action: "", moment: new Field() };
  class Form {
    get action() {
      return shown.action;
    }
    querySelector = (field: string) => (field === "[name=moment]" ? shown.moment : new Field());
  }
  for (const kind of ["HTMLElement", "HTMLInputElement", "HTMLTextAreaElement"]) vi.stubGlobal(kind, Field);
  vi.stubGlobal("HTMLFormElement", Form);
  const form = new Form();
  vi.stubGlobal("document", {
    addEventListener() {},
    querySelector: (which: string) =>
      ({ "track-player": { position: shown.at }, ".comment-form form": form })[which] ?? null,
  });
  await asset("player/page-moments.ts");
  const { player }: { player: Player } = await asset("player/player.ts");
  const momentAt = (at: number, action: string, value: string) => {
    Object.assign(shown, { at, action, moment: Object.assign(new Field(), { value }) });
    player.dispatchEvent(new Event("time"));
    return shown.moment.value;
  };
  expect([momentAt(3, "/one", ""), momentAt(5, "/two", "")]).toEqual(["0:03", "0:05"]);
  // Back to the first page, which the browser shows as it was left.
  expect(momentAt(4, "/one", "0:03")).toBe("0:04");
  expect(momentAt(6, "/one", "1:00")).toBe("1:00");
});

test("presses while nothing answers ask at once, and only the last one goes on asking", async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { player }: { player: Player } = await asset("player/player.ts");
  const fetched = vi.fn(async () => {
    throw new TypeError("no connection");
  });
  vi.stubGlobal("fetch", fetched);
  player.playList([{ id: 4 }], 0);
  for (let press = 1; press <= 5; press++) {
    await vi.advanceTimersByTimeAsync(100);
    expect(fetched).toHaveBeenCalledTimes(press);
    player.pause();
    player.play();
  }
  await vi.advanceTimersByTimeAsync(61_000);
  // Six repetitions of the last press, and one of each before it.
  expect(fetched).toHaveBeenCalledTimes(6 + 6 + 5);
});

test.for([
  [
    "until it has ended, through an attempt that broke off",
    ["growing", "processing", "growing", "finished"],
    1,
  ],
  ["until its track is deleted", ["growing", undefined], 0],
] as const)("an encode is followed %s", async ([, states, changes]) => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { followEncode, news } = await asset("player/player-sources.ts");
  let asked = 0;
  vi.stubGlobal("fetch", async () => {
    const state = states[asked++];
    return state ? Response.json({ state }) : new Response(null, { status: 404 });
  });
  const heard = vi.fn();
  news.addEventListener("change", heard);
  const following: Promise<void> = followEncode({ id: 10 + changes });
  await vi.advanceTimersByTimeAsync(300_000);
  await following;
  expect([asked, heard.mock.calls.length]).toEqual([states.length, changes]);
});

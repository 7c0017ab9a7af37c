import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword, type Person } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { bundled, frameOf, openBlog } from "./blog.ts";
import { launchBrowser, type VisitOptions } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
const blogPage = openBlog();
let ana: Person;
let tracks: Track[];
let hidden: Track;
let set: Playlist;

beforeAll(async () => {
  ana = await createUserWithPassword();
  const sold = { purchase_url: "https://shop.example/first", purchase_title: "Buy it", downloadable: true };
  tracks = [
    await finishedTrack(ana, { title: "The first", ...sold }),
    await finishedTrack(ana, { title: "The second" }),
    await finishedTrack(ana, { title: "The third" }),
  ];
  hidden = await finishedTrack(ana, { title: "Hidden", sharing: "private" });
  const json = { playlist: { title: "All three", tracks: tracks.map(({ id }) => ({ id })) } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
});

const playerOf = (url: string, more = "") =>
  `${stack.urls.api}/player/?url=${encodeURIComponent(url)}${more}`;

const PACKAGE = bundled(`
  import SoundcloudWidget from "soundcloud-widget";
  Object.assign(window, { SoundcloudWidget });
`);

/** Opens a page with a player, driven by the unmodified package. It notes every event. */
async function driven(src: string, { prepare, ...options }: VisitOptions = {}) {
  const visit = await browser.visit(blogPage(frameOf(src)), {
    ...options,
    prepare: async (page) => {
      await prepare?.(page);
      // It runs in the player's frame too.
      await page.addInitScript(`${PACKAGE}
        window.events = [];
        if (window === top) addEventListener("DOMContentLoaded", () => {
          window.widget = new SoundcloudWidget("player");
          for (const name of Object.values(SoundcloudWidget.events))
            widget.bind(name, (value) => events.push({ name, value }));
        });`);
    },
  });
  const { page } = visit;
  // Browsers let a page make sounds once somebody has touched it.
  await page.mouse.click(5, 5);
  const heard = eventsOf(page);
  await heard("ready");
  return { ...visit, heard, ask: asker(page), call: caller(page) };
}

interface Told {
  soundId: number;
  loadedProgress: number;
  currentPosition: number;
  relativePosition: number;
}

/** Waits for an event, and returns the last of its name. */
const eventsOf =
  (page: Page) =>
  async (name: string): Promise<Told> => {
    const last = `events.filter((one) => one.name === ${JSON.stringify(name)}).at(-1)`;
    await expect.poll(() => page.evaluate<boolean>(`${last} !== undefined`), { message: name }).toBe(true);
    return page.evaluate<Told>(`${last}.value ?? {}`);
  };

const namesIn = (page: Page) =>
  page.evaluate<string[]>("events.map(({ name }) => name).filter((name) => !name.endsWith('Progress'))");
const forget = (page: Page) => page.evaluate("void (events.length = 0)");

const asker =
  (page: Page) =>
  <Value>(getter: string) =>
    page.evaluate<Value>(`widget.${getter}()`);

const caller = (page: Page) => (call: string) => page.evaluate(`void widget.${call}`);

test("soundcloud-widget reads a set through every getter", async () => {
  const { ask, complaints } = await driven(playerOf(set.uri, "&start_track=1"));
  const sounds = await ask<Track[]>("getSounds");
  expect(sounds.map(({ id, title }) => [id, title])).toEqual(tracks.map(({ id, title }) => [id, title]));
  const { id, title, user, uri, permalink_url, artwork_url, waveform_url, duration } = tracks[1] as Track;
  const known = { id, title, user, uri, permalink_url, artwork_url, waveform_url, duration };
  expect(await ask<Track>("getCurrentSound")).toMatchObject(known);
  expect(sounds[1]).toMatchObject(known);
  expect(await ask("getCurrentSoundIndex")).toBe(1);
  expect(await ask("getDuration")).toBe(tracks[1]?.duration);
  expect(await ask("getPosition")).toBe(0);
  expect(await ask("getVolume")).toBe(100);
  expect(await ask("isPaused")).toBe(true);
  expect(complaints).toEqual([]);
});

test("soundcloud-widget plays, pauses, seeks and sets the volume, and hears of it", async () => {
  const { page, heard, ask, call, complaints } = await driven(playerOf(tracks[0]?.uri ?? ""));
  await call("play()");
  expect((await heard("play")).soundId).toBe(tracks[0]?.id);
  expect(await ask("isPaused")).toBe(false);
  const at = await heard("playProgress");
  expect(at.relativePosition).toBeCloseTo(at.currentPosition / (tracks[0]?.duration ?? 0), 3);
  expect((await heard("loadProgress")).loadedProgress).toBeGreaterThan(0);
  await call("seekTo(4000)");
  expect((await heard("seek")).currentPosition).toBeGreaterThanOrEqual(4000);
  expect(await ask("getPosition")).toBeGreaterThanOrEqual(4000);
  await call("setVolume(40)");
  expect(await ask("getVolume")).toBe(40);
  await call("pause()");
  await heard("pause");
  expect(await ask("isPaused")).toBe(true);
  await forget(page);
  await call("toggle()");
  await heard("play");
  await call("toggle()");
  await heard("pause");
  expect(complaints).toEqual([]);
});

test("a set plays on, and next, prev and skip move in it", async () => {
  const { page, heard, ask, call, complaints } = await driven(playerOf(set.uri));
  await call("skip(2)");
  expect((await heard("play")).soundId).toBe(tracks[2]?.id);
  await forget(page);
  await call("prev()");
  expect(await ask("getCurrentSoundIndex")).toBe(1);
  expect((await heard("play")).soundId).toBe(tracks[1]?.id);
  expect((await ask<Track>("getCurrentSound")).title).toBe("The second");
  await call("seekTo(6500)");
  await heard("finish");
  await expect.poll(() => ask("getCurrentSoundIndex")).toBe(2);
  await call("next()");
  expect(await ask("getCurrentSoundIndex")).toBe(2);
  await forget(page);
  await heard("playProgress");
  await call("seekTo(6500)");
  await heard("finish");
  expect(await ask("isPaused")).toBe(true);
  expect((await namesIn(page)).slice(-2)).toEqual(["pause", "finish"]);
  expect(complaints).toEqual([]);
});

test("load replaces what is played and keeps the listeners; unbind ends them", async () => {
  const { page, heard, ask, call } = await driven(playerOf(set.uri));
  await page.evaluate(`widget.load(${JSON.stringify(tracks[1]?.uri)}, { autoPlay: true })`);
  expect((await heard("play")).soundId).toBe(tracks[1]?.id);
  expect((await ask<Track[]>("getSounds")).map(({ title }) => title)).toEqual(["The second"]);
  await call("unbind('pause')");
  await call("pause()");
  await expect.poll(() => ask("isPaused")).toBe(true);
  expect(await namesIn(page)).not.toContain("pause");
});

test("the page hears of the share panel, and of presses of the links that buy and download", async () => {
  const { page, heard } = await driven(playerOf(tracks[0]?.uri ?? ""));
  const frame = page.frameLocator("#player");
  await frame.getByRole("button", { name: "Share" }).click();
  await heard("sharePanelOpened");
  const link = frame.getByRole("dialog").getByLabel("Link", { exact: true });
  expect(await link.inputValue()).toBe(tracks[0]?.permalink_url);
  await frame.getByRole("button", { name: "Copy: Embed" }).click();
  await page.keyboard.press("Escape");
  await frame.getByRole("link", { name: "Buy it" }).click();
  await heard("buyClicked");
  await frame.getByRole("link", { name: "Download" }).click();
  await heard("downloadClicked");
});

test("the page hears why nothing plays", async () => {
  const broken = await driven(playerOf(tracks[0]?.uri ?? ""), {
    prepare: (page) => page.route(/\/media\/.*\.(m3u8|mp3)$/, (route) => route.fulfill({ status: 404 })),
  });
  await broken.call("play()");
  expect(await broken.heard("error")).toMatchObject({
    message: expect.stringContaining("could not be played"),
  });
  const missing = await driven(playerOf(`${stack.urls.api}/tracks/1`));
  expect(await missing.heard("error")).toMatchObject({ message: "There is nothing here" });
  expect(await missing.ask("getSounds")).toEqual([]);
});

test("a private track plays by its secret, and the page learns nothing of the secret", async () => {
  const secret = hidden.secret_token ?? "";
  const { heard, ask, call } = await driven(playerOf(`${hidden.uri}?secret_token=${secret}`));
  await call("play()");
  await heard("play");
  expect(await ask<Track>("getCurrentSound")).toMatchObject({ id: hidden.id, title: "Hidden" });
  expect(JSON.stringify(await ask("getSounds"))).not.toContain(secret.slice(2));
  const without = await driven(playerOf(hidden.uri));
  await without.heard("error");
});

test("only the embedding page is heard: a frame beside the player gets no answer", async () => {
  const nosy = `<iframe id="nosy" srcdoc="&lt;script&gt;
    parent.overheard = [];
    addEventListener('message', ({ data }) => parent.overheard.push(data));
    parent.ask = () => parent.document.getElementById('player').contentWindow.postMessage(
      '{&quot;method&quot;:&quot;getDuration&quot;}', '*');
  &lt;/script&gt;"></iframe>`;
  const { page } = await browser.visit(
    blogPage(`${frameOf(playerOf(set.uri))}${nosy}
    <script>var own = []; addEventListener("message", ({ data }) => own.push(data));</script>`),
  );
  await expect.poll(() => page.evaluate<string[]>("own")).toEqual(['{"method":"ready"}']);
  await page.evaluate("ask()");
  await page.evaluate(`player.contentWindow.postMessage('{"method":"isPaused"}', "*")`);
  await expect.poll(() => page.evaluate<string[]>("own")).toContain('{"method":"isPaused","value":true}');
  expect(await page.evaluate("overheard")).toEqual([]);
});

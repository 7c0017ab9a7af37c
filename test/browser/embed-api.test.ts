import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { api } from "../support/api.ts";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { bundled, frameOf, openBlog } from "./blog.ts";
import { launchBrowser } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
/**
 * A frame of another site gets a process of its own as a rule, and what it requests until the interception has
 * reached that process goes out to the network.
 */
const interceptable = launchBrowser("--disable-site-isolation-trials");
const blogPage = openBlog();
let tracks: Track[];
let set: Playlist;

beforeAll(async () => {
  const ana = await createUserWithPassword();
  tracks = [
    await finishedTrack(ana, { title: "The first" }),
    await finishedTrack(ana, { title: "The second" }),
  ];
  const json = { playlist: { title: "Both", tracks: tracks.map(({ id }) => ({ id })) } };
  set = (await api.as(ana).post<Playlist>("/playlists", { json })).body;
});

const KNOWN = "https://w.soundcloud.com";
const playerOf = (url: string, more = "") =>
  `${stack.urls.api}/player/?url=${encodeURIComponent(url)}${more}`;

/** Leads the addresses that people know to this service, which then names itself by them. */
const ledToUs = (page: Page) =>
  page.route(`${KNOWN}/**`, async (route) => {
    const url = route
      .request()
      .url()
      .replace(KNOWN, stack.urls.api)
      .replace(/https(:|%3A)(\/\/|%2F%2F)soundcloud\.com/, stack.urls.api);
    const response = await route.fetch({ url });
    const headers = { ...response.headers() };
    if (!/^(?:text|application)\/(?:html|javascript|json|vnd)/.test(headers["content-type"] ?? ""))
      return route.fulfill({ response });
    const named = (text: string) => text.replaceAll(stack.urls.api, KNOWN);
    const policy = headers["content-security-policy"];
    if (policy) headers["content-security-policy"] = named(policy);
    await route.fulfill({ response, headers, body: named(await response.text()) });
  });

const becomes = (page: Page, code: string, value: unknown) =>
  expect.poll(() => page.evaluate(code), { message: code }).toEqual(value);

test("calls before the player is ready wait for it, and each getter answers once", async () => {
  const { page, complaints } = await browser.visit(
    blogPage(`${frameOf(playerOf(set.uri))}<script src="${stack.urls.api}/player/api.js"></script><script>
      var heard = [];
      var events = Object.values(SC.Widget.Events);
      var widget = SC.Widget("player");
      var isSame = widget === SC.Widget(document.getElementById("player"));
      for (const name of events)
        widget.bind(name, () => heard.at(-1) === name || heard.push(name));
      var volumes = [];
      widget.setVolume(30).getVolume((volume) => volumes.push(volume));
      widget.skip(1);
    </script>`),
  );
  await becomes(page, "volumes", [30]);
  await page.evaluate(bundled(`import { events } from "soundcloud-widget"; window.known = events;`));
  expect(await page.evaluate("events")).toEqual(await page.evaluate("Object.values(known)"));
  expect(await page.evaluate("isSame")).toBe(true);
  await page.evaluate("void widget.getCurrentSoundIndex((index) => (window.index = index))");
  await becomes(page, "index", 1);
  expect(await page.evaluate<string[]>("heard")).toContain("ready");
  expect(await page.evaluate("volumes")).toEqual([30]);
  expect(await page.evaluate("try { SC.Widget('nothing') } catch (error) { error.message }")).toContain(
    "iframe",
  );
  expect(complaints).toEqual([]);
});

test("load takes options, calls back when the new page is ready, and leaves no entry in the history", async () => {
  const { page } = await browser.visit(
    blogPage(`${frameOf(playerOf(set.uri))}<script src="${stack.urls.api}/player/api.js"></script>`),
  );
  await page.mouse.click(5, 5);
  const before = await page.evaluate<number>("history.length");
  await page.evaluate(`
    window.heard = [];
    window.widget = SC.Widget("player");
    widget.bind("play", () => heard.push("play"));
    widget.load(${JSON.stringify(`${tracks[1]?.uri}&show_user=false`)}, {
      auto_play: true,
      color: "ff5500",
      callback: () => widget.getCurrentSound(({ title }) => heard.push(title)),
    });
    undefined`);
  await becomes(page, "heard.toSorted()", ["The second", "play"]);
  const player = page.frameLocator("#player");
  expect(await player.locator("body").getAttribute("data-color")).toBe("#ff5500");
  expect(await player.locator(".embed-author").count()).toBe(0);
  expect(await page.evaluate("history.length")).toBe(before);
});

test("a script that comes after the player was ready finds it", async () => {
  const { page } = await browser.visit(blogPage(frameOf(playerOf(set.uri))));
  await page.frameLocator("#player").getByRole("button", { name: "Play" }).waitFor();
  await page.addScriptTag({ url: `${stack.urls.api}/player/api.js` });
  await page.evaluate(`void SC.Widget("player").getSounds((sounds) => (window.count = sounds.length))`);
  await becomes(page, "count", 2);
});

/** Any time but the first second, because a busy machine may show few of them. */
const BEGUN = /0:0[1-9]/;

test("one player of a page plays at a time, unless told otherwise", async () => {
  const both = (more: string) =>
    blogPage(
      `${frameOf(playerOf(tracks[0]?.uri ?? ""), "first")}${frameOf(playerOf(tracks[1]?.uri ?? "", more), "second")}`,
    );
  const plays = (page: Page, id: string) => page.frameLocator(id).getByRole("button", { name: "Pause" });
  const press = (page: Page, id: string) =>
    page.frameLocator(id).getByRole("button", { name: "Play" }).click();
  for (const [more, left] of [
    ["", 0],
    ["&single_active=false", 1],
  ] as const) {
    const { page } = await browser.visit(both(more));
    await press(page, "#first");
    await page.frameLocator("#first").locator(".embed-elapsed", { hasText: BEGUN }).waitFor();
    await press(page, "#second");
    await page.frameLocator("#second").locator(".embed-elapsed", { hasText: BEGUN }).waitFor();
    expect(await plays(page, "#second").count()).toBe(1);
    expect(await plays(page, "#first").count()).toBe(left);
  }
});

test("auto_play plays where the browser allows it; elsewhere one press starts it", async () => {
  const allowed = await browser.visit(playerOf(tracks[0]?.uri ?? ""));
  await allowed.page.mouse.click(300, 150);
  await allowed.page.evaluate(`location.search += "&auto_play=true"`);
  await becomes(allowed.page, "document.querySelector('audio')?.currentTime > 0.2", true);
  const refused = await browser.visit(
    blogPage(frameOf(playerOf(tracks[0]?.uri ?? "", "&auto_play=true")).replace('allow="autoplay"', "")),
  );
  const player = refused.page.frameLocator("#player");
  await player.getByRole("button", { name: "Play" }).click();
  await player.locator(".embed-elapsed", { hasText: BEGUN }).waitFor();
});

const REACT = bundled(`
  import { createElement, useRef, useState } from "react";
  import { createRoot } from "react-dom/client";
  import ReactPlayer from "react-player/soundcloud";
  window.heard = [];
  const hear = (name) => (value) => heard.push([name, value]);
  function App() {
    const [url, setUrl] = useState(document.body.dataset.url);
    const [playing, setPlaying] = useState(false);
    const [volume, setVolume] = useState(0.8);
    Object.assign(window, { setUrl, setPlaying, setVolume });
    const player = useRef(null);
    window.player = player;
    const handlers = ["Ready", "Start", "Play", "Pause", "Duration", "Progress", "Ended", "Error"];
    const events = Object.fromEntries(handlers.map((name) => ["on" + name, hear(name)]));
    return createElement(ReactPlayer, { ref: player, url, playing, volume, progressInterval: 200, ...events });
  }
  createRoot(document.getElementById("app")).render(createElement(App));
`);

test("react-player 2 plays, seeks, sets the volume and changes the track, unmodified", async () => {
  const [first, second] = tracks.map(({ permalink_url }) =>
    permalink_url.replace(stack.urls.api, "https://soundcloud.com"),
  );
  const { page } = await interceptable.visit(blogPage(`<div id="app"></div>`), { prepare: ledToUs });
  await page.mouse.click(5, 5);
  await page.evaluate(`document.body.dataset.url = ${JSON.stringify(first)}`);
  await page.addScriptTag({ content: REACT });
  const names = "heard.map(([name]) => name)";
  const includes = (name: string) => becomes(page, `${names}.includes("${name}")`, true);
  await includes("Ready");
  await page.evaluate("setPlaying(true)");
  for (const name of ["Play", "Start", "Progress"]) await includes(name);
  expect(await page.evaluate<number>("player.current.getDuration()")).toBeCloseTo(
    (tracks[0]?.duration ?? 0) / 1000,
    1,
  );
  await page.evaluate("setVolume(0.5)");
  await becomes(page, "new Promise((tell) => player.current.getInternalPlayer().getVolume(tell))", 50);
  await page.evaluate("player.current.seekTo(5)");
  await becomes(page, "player.current.getCurrentTime() >= 5", true);
  await includes("Ended");
  await page.evaluate("heard.length = 0");
  await page.evaluate(`setUrl(${JSON.stringify(second)})`);
  for (const name of ["Ready", "Play"]) await includes(name);
  await becomes(
    page,
    "new Promise((tell) => player.current.getInternalPlayer().getCurrentSound(({ title }) => tell(title)))",
    "The second",
  );
  // The package takes a pause for an end while it still holds the earlier track's position.
  await becomes(page, "player.current.getCurrentTime() < 5", true);
  await page.evaluate("setPlaying(false)");
  await includes("Pause");
  expect(await page.evaluate<string[]>(names)).not.toContain("Error");
  expect(await page.locator(`script[src="${KNOWN}/player/api.js"]`).count()).toBe(1);
});

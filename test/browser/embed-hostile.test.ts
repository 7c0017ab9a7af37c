import { beforeAll, expect, test } from "vitest";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { frameOf, openBlog } from "./blog.ts";
import { launchBrowser } from "./browser.ts";
import { finishedTrack } from "./finished-track.ts";

const browser = launchBrowser();
const blogPage = openBlog();
let track: Track;

beforeAll(async () => {
  track = await finishedTrack(await createUser(), { title: "Steadfast" });
});

/** Neither the protocol's texts nor its values. Each must change nothing. */
const GARBAGE = `[
  "", "{", "null", "[]", "7", '{"method":7}', '{"method":null}', '{"method":"x"}', "\\u0000".repeat(9),
  ...["constructor", "__proto__", "toString", "hasOwnProperty"].map((method) => JSON.stringify({ method })),
  undefined, null, 7, true, [], {}, { method: "play" }, new ArrayBuffer(8), new Date(), /x/, new Error("x"),
  "[".repeat(100_000), "x".repeat(1_000_000),
]`;

/** Values of methods that take numbers, words or options. */
const VALUES = `[
  1e308, -1e308, 1e-320, -1, 0.5, 9007199254740993, "1e400", "NaN", "x", "", null, true, [], {},
  { toString: 1, valueOf: 1 }, { __proto__: null, url: { toString: 1 } }, "9".repeat(400),
]`;

test("garbage, huge numbers and a flood from the embedding page break nothing in the player", async () => {
  const { page, complaints } = await browser.visit(
    blogPage(`${frameOf(`${stack.urls.api}/player/?url=${encodeURIComponent(track.uri)}`)}
    <script>
      var heard = [];
      addEventListener("message", ({ data }) => heard.push(JSON.parse(data)));
      const tell = (data) => document.getElementById("player").contentWindow.postMessage(data, "*");
      const say = (method, value) => tell(JSON.stringify({ method, value }));
      const answer = (method) => heard.filter((one) => one.method === method).at(-1)?.value;
    </script>`),
  );
  await expect.poll(() => page.evaluate("heard.length")).toBe(1);
  await page.evaluate(`{
    for (const data of ${GARBAGE}) tell(data);
    for (const method of ["seekTo", "setVolume", "skip", "addEventListener", "removeEventListener"])
      for (const value of ${VALUES}) if (method !== "skip" || value !== 0) say(method, value);
    for (const value of [null, 7, [], {}, { url: 7 }, { url: null, options: "x" }]) say("load", value);
    say("setVolume", 1e308);
    say("seekTo", 1e308);
    say("pause");
    for (let times = 0; times < 20_000; times++) say("getPosition");
    for (let times = 0; times < 20_000; times++) say("addEventListener", "event " + times);
    for (const getter of ["getVolume", "getCurrentSound", "isPaused", "getDuration"]) say(getter);
  }`);
  await expect.poll(() => page.evaluate("answer('getDuration')")).toBe(track.duration);
  expect(await page.evaluate("answer('getCurrentSound').id")).toBe(track.id);
  expect(await page.evaluate("[answer('getVolume'), answer('isPaused')]")).toEqual([100, true]);
  expect(await page.evaluate("answer('getPosition')")).toBe(track.duration);
  expect(await page.evaluate("heard.filter(({ method }) => method === 'getPosition').length")).toBe(20_000);
  const player = page.frameLocator("#player");
  await player.getByRole("button", { name: "Play" }).click();
  await player.getByRole("button", { name: "Pause" }).waitFor();
  expect(complaints).toEqual([]);
});

test("a page that holds the widget script survives what other frames say", async () => {
  const noise = [
    "{",
    '{"method":"ready"}',
    '{"method":"getVolume","value":"forged"}',
    '{"method":"play","value":1}',
  ];
  const shouting = `for (let times = 0; times < 1_000; times++)
    for (const data of ${JSON.stringify(noise)}) parent.postMessage(data, "*")`;
  const { page, complaints } = await browser.visit(
    blogPage(`${frameOf(`${stack.urls.api}/player/?url=${encodeURIComponent(track.uri)}`)}
    <iframe id="nosy" srcdoc="x"></iframe>
    <script src="${stack.urls.api}/player/api.js"></script>
    <script>
      const widget = SC.Widget("player");
      var asked = [], told = [];
      for (const name of Object.values(SC.Widget.Events)) widget.bind(name, () => told.push(name));
    </script>`),
  );
  await expect.poll(() => page.evaluate<string[]>("told")).toContain("ready");
  await page.evaluate(`{
    told.length = 0;
    widget.getVolume((value) => asked.push(value));
    nosy.contentWindow.eval(${JSON.stringify(shouting)});
  }`);
  await expect.poll(() => page.evaluate("asked")).toEqual([100]);
  expect(await page.evaluate("told.filter((name) => !name.endsWith('Progress'))")).toEqual([]);
  expect(complaints).toEqual([]);
});

import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type Bench, type Figure, median, spread } from "./bench.ts";
import { launchChromium } from "./chromium.ts";
import { createPerson } from "./people.ts";
import { flac } from "./sources.ts";
import { withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const ROUNDS = 11;

/** Milliseconds that a listener may wait for the sound. */
const TARGETS_MS = { foreseen: 265, cold: 600, next: 50 };

/** Milliseconds for which the pointer rests on a button before it is pressed, and a track is heard. */
const HOVERED_MS = 700;
const HEARD_MS = 4_500;

/** Row `press`: from a press of a play button in Chromium to the audio element's `playing`. */
export async function press(bench: Bench): Promise<Figure[]> {
  const browser = await launchChromium("--autoplay-policy=no-user-gesture-required");
  try {
    return await withStack(bench, async (stack) => {
      const person = await createPerson(stack);
      const source = await flac(bench, 20);
      const tracks: Track[] = [];
      while (tracks.length <= ROUNDS) tracks.push(await publish(person, source));
      const cold: number[] = [];
      const foreseen: number[] = [];
      for (const track of tracks.slice(0, bench.quick ? 3 : ROUNDS)) {
        cold.push(await measureFirst(browser, track, 0));
        foreseen.push(await measureFirst(browser, track, HOVERED_MS));
        bench.say(`press: cold ${cold.at(-1)?.toFixed(0)} ms, foreseen ${foreseen.at(-1)?.toFixed(0)} ms`);
      }
      const next = await measureNext(browser, tracks, bench.quick ? 3 : ROUNDS);
      return Object.entries({ foreseen, cold, next }).map(([name, took]) =>
        figureOf(name as keyof typeof TARGETS_MS, took),
      );
    });
  } finally {
    await browser.close();
  }
}

const figureOf = (name: keyof typeof TARGETS_MS, took: number[]): Figure => ({
  row: "press",
  what: `press to sound, ${name}, median`,
  over: `${TARGETS_MS[name]} ms`,
  unit: "ms",
  ours: median(took),
  floor: TARGETS_MS[name],
  ratio: median(took) / TARGETS_MS[name],
  target: 1,
  note: `${took.length} rounds: ${spread(took, 0)} ms`,
});

/** Opens the profile in a browser that knows nothing yet. */
async function openList(browser: Browser, { user }: Track): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(user.permalink_url, { waitUntil: "networkidle" });
  return page;
}

async function measureFirst(browser: Browser, track: Track, hoveredMs: number): Promise<number> {
  const page = await openList(browser, track);
  const button = `main [data-play="${track.id}"]`;
  if (hoveredMs) await page.hover(button);
  await sleep(hoveredMs);
  const took = await soundAfter(page, button);
  await page.context().close();
  return took;
}

async function measureNext(browser: Browser, tracks: Track[], rounds: number): Promise<number[]> {
  const [first] = tracks;
  if (!first) return [];
  const page = await openList(browser, first);
  await soundAfter(page, "main [data-play]");
  const took: number[] = [];
  while (took.length < rounds) {
    await sleep(HEARD_MS);
    took.push(await soundAfter(page, ".deck-next"));
  }
  await page.context().close();
  return took;
}

/** Milliseconds. The click comes from the page, without a pointer that would foresee it. */
const soundAfter = (page: Page, selector: string) =>
  page.evaluate<number>(`new Promise((heard) => {
    const pressedMs = performance.now();
    const options = { capture: true, once: true };
    addEventListener("playing", () => heard(performance.now() - pressedMs), options);
    document.querySelector(${JSON.stringify(selector)}).click();
  })`);

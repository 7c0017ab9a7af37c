import type { Browser } from "playwright-core";
import sharp from "sharp";
import type { Track } from "../../functions/api/tracks/representation.ts";
import { type Bench, type Figure, median, spread } from "./bench.ts";
import { launchChromium } from "./chromium.ts";
import { createPerson } from "./people.ts";
import { flac } from "./sources.ts";
import { withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const ROUNDS = 9;
const TARGET_MS = 250;
const TARGET_KB = 100;

interface Visit {
  /** Milliseconds from the navigation to the largest contentful paint. */
  paintedMs: number;
  /** Bytes that came over the wire, headers included, until nothing was loading. */
  kilobytes: number;
}

/** Row `first-visit`: pages in a Chromium with empty caches: largest contentful paint, and the weight of a track's page. */
export async function firstVisit(bench: Bench): Promise<Figure[]> {
  const browser = await launchChromium();
  try {
    return await withStack(bench, async (stack) => {
      const person = await createPerson(stack);
      const track = await publish(person, await flac(bench, 20));
      await addArtwork(stack.urls.api, await person.token(), track);
      const pages = {
        track: track.permalink_url,
        profile: track.user.permalink_url,
        home: new URL("/", track.permalink_url).href,
        search: new URL(`/search?q=${track.title}`, track.permalink_url).href,
      };
      const figures: Figure[] = [];
      for (const [name, url] of Object.entries(pages)) {
        const visits: Visit[] = [];
        while (visits.length < (bench.quick ? 3 : ROUNDS)) visits.push(await visit(browser, url));
        figures.push(paintOf(name, visits));
        if (name === "track") figures.push(weightOf(visits));
      }
      return figures;
    });
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url, { waitUntil: "networkidle" });
  const paintedMs = await page.evaluate<number>(`new Promise((painted) =>
    new PerformanceObserver((list) => painted(list.getEntries().at(-1).startTime))
      .observe({ type: "largest-contentful-paint", buffered: true }))`);
  await context.close();
  return { paintedMs, kilobytes: bytes / 1_000 };
}

async function addArtwork(api: string, token: string, { id }: Track): Promise<void> {
  const noise = { type: "gaussian", mean: 120, sigma: 40 } as const;
  const picture = await sharp({
    create: { width: 1_400, height: 1_400, channels: 3, background: "#246", noise },
  })
    .blur(12)
    .jpeg()
    .toBuffer();
  const body = new FormData();
  body.set("track[artwork_data]", new Blob([picture], { type: "image/jpeg" }), "cover.jpg");
  const headers = { Authorization: `Bearer ${token}` };
  const { ok, status } = await fetch(`${api}/tracks/${id}`, { method: "PUT", headers, body });
  if (!ok) throw new Error(`The artwork was answered with ${status}`);
}

const figureOf = (what: string, unit: Figure["unit"], target: number, figures: number[]): Figure => ({
  row: "first-visit",
  what,
  over: `${target} ${unit}`,
  unit,
  ours: median(figures),
  floor: target,
  ratio: median(figures) / target,
  target: 1,
  note: `${figures.length} visits: ${spread(figures, 0)} ${unit}`,
});

const paintOf = (page: string, visits: Visit[]): Figure =>
  figureOf(
    `${page}, largest contentful paint, median`,
    "ms",
    TARGET_MS,
    visits.map(({ paintedMs }) => paintedMs),
  );

const weightOf = (visits: Visit[]): Figure =>
  figureOf(
    "track, transferred, median",
    "kB",
    TARGET_KB,
    visits.map(({ kilobytes }) => kilobytes),
  );

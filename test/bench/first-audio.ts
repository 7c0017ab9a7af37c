import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Track } from "../../functions/api/tracks/representation.ts";
import type { Streams } from "../../functions/api/tracks/streams.ts";
import { type Bench, type Figure, median, spread } from "./bench.ts";
import { createPerson, type Person } from "./people.ts";
import { flac } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";
import { upload } from "./tracks.ts";

/** Seconds that a musician may wait, whatever the length. */
const TARGET_S = 2;

/** Milliseconds between two looks for the streams. */
const POLL_MS = 25;

const LENGTHS = [
  { name: "1 minute", seconds: 60, rounds: 9 },
  { name: "1 hour", seconds: 3600, rounds: 5 },
  { name: "4 hours", seconds: 4 * 3600, rounds: 3 },
];

/** Row `first-audio`: from an upload's last byte until a listener has the first segment's bytes. */
export async function firstAudio(bench: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withStack(bench, async (stack) => {
    const person = await createPerson(stack);
    await measure(stack, person, await flac(bench, 10));
    for (const { name, seconds, rounds } of bench.quick ? LENGTHS.slice(0, 2) : LENGTHS) {
      const source = await flac(bench, seconds);
      const took: number[] = [];
      for (let round = 1; round <= (bench.quick ? 2 : rounds); round++) {
        took.push(await measure(stack, person, source));
        bench.say(`first-audio, ${name}, round ${round}: ${took.at(-1)?.toFixed(2)} s`);
      }
      rmSync(source);
      const note = `${took.length} rounds: ${spread(took)} s`;
      figures.push(figureOf(`${name}, median`, median(took), note));
      figures.push(figureOf(`${name}, slowest round`, Math.max(...took), note));
    }
  });
  return figures;
}

const figureOf = (what: string, seconds: number, note: string): Figure => ({
  row: "first-audio",
  what: `last byte to the first segment, ${what}`,
  over: "two seconds",
  unit: "s",
  ours: seconds,
  floor: TARGET_S,
  ratio: seconds / TARGET_S,
  target: 1,
  note,
});

/** Deletes the track at the end, so that its encode does not run into the next round. */
async function measure(stack: BenchStack, person: Person, source: string): Promise<number> {
  let startedMs = Number.NaN;
  const { id: upload_id } = await upload(person, source, () => {
    startedMs = performance.now();
  });
  const fields = { upload_id, title: "First audio", sharing: "public" };
  const { id } = await person.call<Track>("POST", "/tracks", { track: fields });
  const headers = { Authorization: `OAuth ${await person.token()}` };
  for (;;) {
    const reply = await fetch(`${stack.urls.api}/tracks/${id}/streams`, { headers });
    const links = (await reply.json()) as Streams;
    if (reply.status === 200) await hear(links.hls_aac_96_url ?? "");
    if (reply.status === 200) break;
    await sleep(POLL_MS);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  await person.call("DELETE", `/tracks/${id}`);
  await freed(stack);
  return seconds;
}

/** Fetches what a player needs before it makes a sound. */
async function hear(playlist: string): Promise<void> {
  const text = await (await fetch(playlist)).text();
  for (const name of ["init.mp4", "0.m4s"]) {
    const reply = await fetch(new URL(name, playlist));
    if (!text.includes(name) || !reply.ok) throw new Error(`${name} does not play: ${reply.status}\n${text}`);
    await reply.arrayBuffer();
  }
}

/** Waits until no transcoder holds the deleted track. On a busy machine one may not listen yet after the start. */
async function freed({ ports, pids, secrets }: BenchStack): Promise<void> {
  const headers = { Authorization: `Bearer ${secrets.TRANSCODER_SECRET}` };
  async function isFree(port: number): Promise<boolean> {
    const reply = await fetch(`http://127.0.0.1:${port}/healthz`, { headers }).catch(() => undefined);
    return ((await reply?.json()) as { jobs: number } | undefined)?.jobs === 0;
  }
  const transcoders = Object.keys(pids).filter((name) => name.startsWith("transcoder"));
  for (const place of transcoders.keys()) while (!(await isFree(ports.transcoder + place))) await sleep(100);
}

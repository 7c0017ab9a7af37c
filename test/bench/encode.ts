import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import { createPerson, type Person } from "./people.ts";
import { difference, reapedCpuS, total } from "./readings.ts";
import { ffmpegRun, flac } from "./sources.ts";
import { type BenchStack, cpuOf, withStack } from "./stack.ts";
import { publish } from "./tracks.ts";

const SECONDS = 600;

/** Targets for the whole ladder over its best rendition alone. */
const SINGLE_TARGETS = { wall: 1, cpu: 2.5 };

const hls = (bitrate: string, folder: string) => [
  "-map",
  "0:a",
  "-c:a",
  "aac",
  "-profile:a",
  "aac_low",
  "-b:a",
  bitrate,
  "-f",
  "hls",
  "-hls_segment_type",
  "fmp4",
  "-hls_time",
  "6",
  "-hls_list_size",
  "0",
  join(folder, "x.m3u8"),
];

/** Encodes the service's renditions with one command on local files. */
async function plainLadder(bench: Bench, source: string) {
  const folder = join(bench.scratch, "ladder");
  for (const name of ["160", "96"]) mkdirSync(join(folder, name), { recursive: true });
  const [startedMs, startedCpuS] = [performance.now(), reapedCpuS()];
  await ffmpegRun(bench, [
    "-i",
    source,
    ...hls("160k", join(folder, "160")),
    ...hls("96k", join(folder, "96")),
    "-map",
    "0:a",
    "-c:a",
    "libmp3lame",
    "-b:a",
    "128k",
    join(folder, "full.mp3"),
    "-map",
    "0:a",
    "-t",
    "30",
    "-c:a",
    "libmp3lame",
    "-b:a",
    "128k",
    join(folder, "preview.mp3"),
    "-map",
    "0:a",
    "-af",
    "ebur128=peak=true:framelog=verbose",
    "-f",
    "null",
    "-",
  ]);
  const measured = { wallS: (performance.now() - startedMs) / 1000, cpuS: reapedCpuS() - startedCpuS };
  rmSync(folder, { recursive: true });
  return measured;
}

/** Encodes the best rendition alone, with the default coder. */
async function plainSingle(bench: Bench, source: string) {
  const folder = join(bench.scratch, "single");
  mkdirSync(folder);
  const [startedMs, startedCpuS] = [performance.now(), reapedCpuS()];
  await ffmpegRun(bench, ["-i", source, ...hls("160k", folder)]);
  const measured = { wallS: (performance.now() - startedMs) / 1000, cpuS: reapedCpuS() - startedCpuS };
  rmSync(folder, { recursive: true });
  return measured;
}

/** From the last stored byte to `finished`, including all processes of the stack. */
async function ourEncode(stack: BenchStack, person: Person, source: string) {
  let [startedMs, before] = [Number.NaN, cpuOf(stack)];
  await publish(person, source, () => {
    [startedMs, before] = [performance.now(), cpuOf(stack)];
  });
  const wallS = (performance.now() - startedMs) / 1000;
  return { wallS, cpu: difference(cpuOf(stack), before) };
}

/** Row `encode`: time until a track is ready, over ffmpeg alone. */
export async function encode(bench: Bench): Promise<Figure[]> {
  const source = await flac(bench, SECONDS);
  const rounds: {
    plain: Awaited<ReturnType<typeof plainLadder>>;
    single: Awaited<ReturnType<typeof plainSingle>>;
    ours: Awaited<ReturnType<typeof ourEncode>>;
  }[] = [];
  await withStack(bench, async (stack) => {
    const person = await createPerson(stack);
    for (let round = 1; round <= (bench.quick ? 1 : 3); round++) {
      const plain = await plainLadder(bench, source);
      const single = await plainSingle(bench, source);
      const ours = await ourEncode(stack, person, source);
      bench.say(`encode, round ${round}: plain ${plain.wallS.toFixed(1)} s, ours ${ours.wallS.toFixed(1)} s`);
      rounds.push({ plain, single, ours });
    }
  });
  const figure = (
    unit: "s" | "CPU s",
    ours: number,
    floor: number,
    note: string,
    { over = "one ffmpeg, same ladder", target }: { over?: string; target?: number } = {},
  ): Figure => ({
    row: "encode",
    what: unit === "s" ? "last byte to finished, wall" : "last byte to finished, CPU of all processes",
    over,
    unit,
    ours,
    floor,
    ratio: ours / floor,
    ...(target !== undefined && { target }),
    note,
  });
  const wallS = medianOf(rounds, ({ ours }) => ours.wallS);
  const cpuS = medianOf(rounds, ({ ours }) => total(ours.cpu));
  const single = "one ffmpeg, AAC 160 alone";
  const part = (name: keyof ReturnType<typeof cpuOf>) =>
    `${name} ${medianOf(rounds, ({ ours }) => ours.cpu[name]).toFixed(2)}`;
  const wallRatios = rounds.map(({ ours, plain }) => ours.wallS / plain.wallS);
  const parts = (["encoders", "transcoder", "objects", "worker", "proxy", "postgres"] as const).map(part);
  return [
    figure(
      "s",
      wallS,
      medianOf(rounds, ({ plain }) => plain.wallS),
      `${SECONDS / 60} min FLAC, ${rounds.length} rounds: ${spread(wallRatios)}`,
    ),
    figure(
      "CPU s",
      cpuS,
      medianOf(rounds, ({ plain }) => plain.cpuS),
      parts.join(", "),
    ),
    figure(
      "s",
      wallS,
      medianOf(rounds, ({ single }) => single.wallS),
      "",
      { over: single, target: SINGLE_TARGETS.wall },
    ),
    figure(
      "CPU s",
      cpuS,
      medianOf(rounds, ({ single }) => single.cpuS),
      "",
      { over: single, target: SINGLE_TARGETS.cpu },
    ),
  ];
}

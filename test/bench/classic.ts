import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { request } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import { createPerson, type Person } from "./people.ts";
import { startPlainWorker } from "./plain-worker.ts";
import { treeCpuS, watchPeaks } from "./readings.ts";
import { randomFile } from "./sources.ts";
import { type BenchStack, withStack } from "./stack.ts";

const MB = 1_000_000;
const SMALL_BYTES = 100 * MB;
const LARGE_BYTES = 450 * MB;
const ROUNDS = 3;
const MEMORY_TARGET = 1.2;
const CPU_TARGET = 1.5;

const BOUNDARY = "----bench7MA4YWxkTrZu0gW";
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="track[title]"\r\n\r\nBench\r\n` +
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="track[asset_data]"; filename="a.wav"\r\n\r\n`,
);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** POSTs a file's first bytes, as a form or bare. */
async function post(
  port: number,
  path: string,
  headers: Record<string, string>,
  file: string,
  bytes: number,
) {
  const isForm = path === "/tracks";
  const length = bytes + (isForm ? HEAD.byteLength + TAIL.byteLength : 0);
  const sent = request({ port, method: "POST", path, headers: { ...headers, "Content-Length": length } });
  const replied = new Promise<number>((resolve, reject) =>
    sent.on("response", (reply) => resolve(reply.resume().statusCode ?? 0)).on("error", reject),
  );
  const content = createReadStream(file, { end: bytes - 1, highWaterMark: 1024 * 1024 });
  await pipeline(async function* () {
    if (isForm) yield HEAD;
    yield* content;
    if (isForm) yield TAIL;
  }, sent);
  const status = await replied;
  if (status !== 201) throw new Error(`${path} answered ${status}`);
}

interface Measured {
  peakMib: number;
  cpuS: number[];
}

/** Repeats the upload on a fresh Worker. */
async function run(
  stack: BenchStack,
  person: Person,
  path: string,
  file: string,
  bytes: number,
): Promise<Measured> {
  const plain = await startPlainWorker(stack);
  const headers = {
    Authorization: `OAuth ${await person.token()}`,
    "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
  };
  try {
    await post(plain.port, path, headers, file, MB);
    const peaks = watchPeaks({ worker: plain.pid }, plain.pid);
    const cpuS: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const before = treeCpuS(plain.pid);
      await post(plain.port, path, headers, file, bytes);
      cpuS.push(treeCpuS(plain.pid) - before);
    }
    return { peakMib: peaks.stop().worker, cpuS };
  } finally {
    await plain.stop();
  }
}

/** Row `classic`: a multipart upload through the Worker to storage. */
export async function classic(bench: Bench): Promise<Figure[]> {
  const bytes = bench.quick ? 2 * SMALL_BYTES : LARGE_BYTES;
  const file = await randomFile(bench, bytes);
  const { small, large, piped } = await withStack(bench, async (stack) => {
    const person = await createPerson(stack);
    const measured = async (path: string, size: number) => {
      const result = await run(stack, person, path, file, size);
      bench.say(
        `classic, ${path}, ${size / MB} MB: ${result.cpuS.join(", ")} CPU s, ${result.peakMib.toFixed(0)} MiB`,
      );
      return result;
    };
    return {
      piped: await measured("/bench/pipe", bytes),
      small: await measured("/tracks", SMALL_BYTES),
      large: await measured("/tracks", bytes),
    };
  });
  await rm(file);
  const [oursS, floorS] = [large, piped].map(({ cpuS }) => medianOf(cpuS, (cpu) => cpu));
  return [
    {
      row: "classic",
      what: `${bytes / MB} MB in a form, peak memory of the Worker`,
      over: `${SMALL_BYTES / MB} MB`,
      unit: "MiB",
      ours: large.peakMib,
      floor: small.peakMib,
      ratio: large.peakMib / small.peakMib,
      target: MEMORY_TARGET,
      note: `a bare pipe ${piped.peakMib.toFixed(0)}`,
    },
    {
      row: "classic",
      what: `${bytes / MB} MB in a form, CPU of the Worker`,
      over: "the same bytes piped to storage",
      unit: "CPU s",
      ours: oursS ?? Number.NaN,
      floor: floorS ?? Number.NaN,
      ratio: (oursS ?? Number.NaN) / (floorS ?? Number.NaN),
      target: CPU_TARGET,
      note: `${ROUNDS} rounds: ${spread(large.cpuS)} over ${spread(piped.cpuS)}`,
    },
  ];
}

import { copyFile, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Bench, type Figure, medianOf, spread } from "./bench.ts";
import { createPerson, type Person } from "./people.ts";
import { difference, total } from "./readings.ts";
import { randomFile } from "./sources.ts";
import { type BenchStack, cpuOf, withStack } from "./stack.ts";
import { upload as uploadFile } from "./tracks.ts";

const ROUNDS = 3;
const MIB = 2 ** 20;
const BYTES = 2 ** 30;

const ownCpuSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

async function plainCopy(bench: Bench, source: string) {
  const target = join(bench.scratch, "copy.bin");
  const [startedMs, startedCpu] = [performance.now(), process.cpuUsage()];
  await copyFile(source, target);
  const file = await open(target, "r+");
  await file.sync();
  await file.close();
  const measured = { wallS: (performance.now() - startedMs) / 1000, cpuS: ownCpuSince(startedCpu) };
  await rm(target);
  return measured;
}

async function ourUpload(stack: BenchStack, person: Person, source: string) {
  const [startedMs, startedCpu, before] = [performance.now(), process.cpuUsage(), cpuOf(stack)];
  await uploadFile(person, source);
  const wallS = (performance.now() - startedMs) / 1000;
  return { wallS, clientCpuS: ownCpuSince(startedCpu), cpu: difference(cpuOf(stack), before) };
}

/** Row `upload`: a file in four parallel parts to one durable object. */
export async function upload(bench: Bench): Promise<Figure[]> {
  const source = await randomFile(bench, BYTES);
  const rounds: {
    copy: Awaited<ReturnType<typeof plainCopy>>;
    ours: Awaited<ReturnType<typeof ourUpload>>;
  }[] = [];
  await withStack(bench, async (stack) => {
    const person = await createPerson(stack);
    for (let round = 1; round <= ROUNDS; round++) {
      const copy = await plainCopy(bench, source);
      const ours = await ourUpload(stack, person, source);
      bench.say(`upload, round ${round}: copy ${copy.wallS.toFixed(1)} s, ours ${ours.wallS.toFixed(1)} s`);
      rounds.push({ copy, ours });
    }
  });
  await rm(source);

  const speed = (wallS: number) => BYTES / MIB / wallS;
  const ours = medianOf(rounds, (round) => speed(round.ours.wallS));
  const copy = medianOf(rounds, (round) => speed(round.copy.wallS));
  const oursCpu = medianOf(rounds, (round) => total(round.ours.cpu));
  const copyCpu = medianOf(rounds, (round) => round.copy.cpuS);
  const ratios = rounds.map((round) => round.ours.wallS / round.copy.wallS);
  const client = medianOf(rounds, (round) => round.ours.clientCpuS).toFixed(2);
  const store = medianOf(rounds, (round) => round.ours.cpu.objects).toFixed(2);
  const worker = medianOf(rounds, (round) => round.ours.cpu.worker).toFixed(2);
  const common = { row: "upload", over: "copyFile + fsync" };
  return [
    {
      ...common,
      what: "1 GiB, wall",
      unit: "MiB/s",
      ours,
      floor: copy,
      ratio: copy / ours,
      note: `${ROUNDS} rounds: ${spread(ratios)}`,
    },
    {
      ...common,
      what: "1 GiB, CPU of the service",
      unit: "CPU s",
      ours: oursCpu,
      floor: copyCpu,
      ratio: oursCpu / copyCpu,
      note: `store ${store}, Worker ${worker}; the client's ${client} not counted`,
    },
  ];
}

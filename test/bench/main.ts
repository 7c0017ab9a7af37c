import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findFfmpeg } from "../../workers/transcoder/ffmpeg.ts";
import { batch } from "./batch.ts";
import type { Bench, Figure, Row } from "./bench.ts";
import { bundle } from "./bundle.ts";
import { classic } from "./classic.ts";
import { document } from "./document.ts";
import { encode } from "./encode.ts";
import { encoders } from "./encoders.ts";
import { feed } from "./feed.ts";
import { firstAudio } from "./first-audio.ts";
import { firstVisit } from "./first-visit.ts";
import { get } from "./get.ts";
import { insights } from "./insights.ts";
import { lighthouse } from "./lighthouse.ts";
import { lists } from "./lists.ts";
import { plays, segment } from "./media.ts";
import { memory } from "./memory.ts";
import { mix } from "./mix.ts";
import { playlist } from "./playlist.ts";
import { press } from "./press.ts";
import { scale } from "./scale.ts";
import { signIn } from "./sign-in.ts";
import { stopAll } from "./stops.ts";
import { machineLine, machineOf, tableOf } from "./table.ts";
import { bearer, token } from "./token.ts";
import { upload } from "./upload.ts";
import { viral } from "./viral.ts";
import { webhooks } from "./webhooks.ts";

const ROWS: Record<string, Row> = {
  get,
  lists,
  playlist,
  mix,
  scale,
  viral,
  feed,
  insights,
  webhooks,
  token,
  bearer,
  "sign-in": signIn,
  bundle,
  upload,
  classic,
  encode,
  encoders,
  "first-audio": firstAudio,
  press,
  "first-visit": firstVisit,
  lighthouse,
  document,
  segment,
  plays,
  batch,
  memory,
};

const USAGE = `Usage: npm run bench -- [${Object.keys(ROWS).join("] [")}] [--json FILE]

Without names all rows run, which takes half an hour or more. BENCH_QUICK=1 takes smaller sources;
BENCH_TRACKS is how many tracks \`scale\` goes up to and \`feed\` has, a million where left out; BENCH_KEEP is a directory where
the libraries of \`scale\` stay for the next run, which then need not be seeded; BENCH_RATE how many likes a
second \`viral\` sends, and as many plays, 250 and then 500 where left out; BENCH_ENCODER the command of another ffmpeg whose
coders \`encoders\` measures.`;

function fail(message: string): never {
  console.error(message);
  process.exit(64);
}

function readCommandLine() {
  try {
    return parseArgs({ options: { json: { type: "string" } }, allowPositionals: true });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

const { values, positionals } = readCommandLine();
const unknown = positionals.find((name) => !(name in ROWS));
if (unknown) fail(`There is no row ${unknown}.\n\n${USAGE}`);
const chosen = Object.entries(ROWS).filter(([name]) => !positionals.length || positionals.includes(name));

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "soundpost-bench-")));
// Postgres runs as another user for root and must be able to enter.
chmodSync(scratch, 0o711);
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => stopAll().then(() => process.exit(130)));

const bench: Bench = {
  scratch,
  ffmpeg: await findFfmpeg(),
  quick: process.env.BENCH_QUICK === "1",
  say: (line) => console.error(line),
};
const figures: Figure[] = [];
for (const [name, row] of chosen) {
  bench.say(`${name} …`);
  try {
    figures.push(...(await row(bench)));
  } catch (error) {
    process.exitCode = 1;
    bench.say(`${name} did not run: ${error instanceof Error ? (error.stack ?? error.message) : error}`);
  }
}

const machine = machineOf(bench);
console.log(`${tableOf(figures)}\n\n${machineLine(machine)}`);
if (values.json) {
  const path = resolve(process.env.INIT_CWD ?? ".", values.json);
  writeFileSync(path, `${JSON.stringify({ at: new Date(), machine, figures }, null, 2)}\n`);
}

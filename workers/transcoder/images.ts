import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { log } from "./logging.ts";

/** Of an original. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** The slowest image allowed takes 1.2 s of a core. Beyond this it is the image's fault, however busy the machine. */
const CPU_SECONDS = 10;

/** Beyond this it is ours. Nobody waits much longer. */
const DEADLINE_MS = Number(process.env.IMAGE_DEADLINE_MS) || 25_000;

/** Each takes up to 500 MB, and one core. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** More than that would time out where they are waited for. */
const MAX_WAITING = 16;

const MAX_SIZES = 16;
const MAX_SIZE_PIXELS = 1_000;

const PROGRAM = join(import.meta.dirname, "image-process.ts");

/** Exit code. */
const REFUSED = 3;

const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

export type Rendering =
  | { outcome: "rendered"; images: Buffer }
  | { outcome: "refused"; reason: string }
  | { outcome: "busy" };

/** `500,100,16`: pixels a side. Undefined for anything else. */
export function parseSizes(text: string | null): number[] | undefined {
  if (!/^[1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3})*$/.test(text ?? "")) return undefined;
  const sizes = (text ?? "").split(",").map(Number);
  return sizes.length <= MAX_SIZES && Math.max(...sizes) <= MAX_SIZE_PIXELS ? sizes : undefined;
}

let running = 0;
const waiting: (() => void)[] = [];

/** The JPEGs in the order of their sizes, each behind its length. */
export async function renderImages(original: Buffer, sizes: number[]): Promise<Rendering> {
  if (running < AT_ONCE) running++;
  else if (waiting.length >= MAX_WAITING) return { outcome: "busy" };
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await render(original, sizes);
  } finally {
    // Whoever waits longest takes the place over.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

async function render(original: Buffer, sizes: number[]): Promise<Rendering> {
  const command = [process.execPath, PROGRAM, ...sizes.map(String)];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", String(CPU_SECONDS), ...command], {
    // A decoder of hostile bytes needs to know nothing, and its warnings help nobody.
    env: { VIPS_WARNING: "0" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  // One that ends early does not read to the end.
  child.stdin.on("error", () => {}).end(original);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve, reject) => {
    child.once("error", reject).once("close", (code, signal) => resolve(signal ?? code));
  });
  const [output, end] = await Promise.all([buffer(child.stdout), ended]).finally(() =>
    clearTimeout(deadline),
  );
  if (end === 0) return { outcome: "rendered", images: output };
  if (end === REFUSED) return { outcome: "refused", reason: output.toString("utf8") };
  log("image_process_died", { end, bytes: original.length });
  // By us, or by a system short of memory: that says nothing about the image. Any other signal is a decoder's crash.
  if (end === "SIGKILL") return { outcome: "busy" };
  if (end === "SIGXCPU") return { outcome: "refused", reason: "takes too long to decode" };
  if (typeof end === "string") return { outcome: "refused", reason: "cannot be decoded" };
  throw new Error(`the image process ended with ${end}`);
}

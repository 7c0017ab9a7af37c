import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ImageTurns } from "./image-turns.ts";
import { log } from "./logging.ts";

/** Bytes of an original. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

/** The slowest valid image takes 1.2 s of CPU time. CPU time blames the image even on a busy machine. */
const CPU_SECONDS = 10;

/** Exceeding wall time is our fault. Callers wait no longer. */
const DEADLINE_MS = Number(process.env.IMAGE_DEADLINE_MS) || 25_000;

/** Each takes up to 500 MB and one core. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));

/** More would time out at their callers. */
const MAX_WAITING = 16;

const MAX_SIZES = 16;
const MAX_SIZE_PIXELS = 1_400;

const PROGRAM = join(import.meta.dirname, "image-process.ts");

/** Exit code of a refusal. */
const REFUSED = 3;

const { NODE_COMPILE_CACHE } = process.env;

const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; shift; exec "$@"';

type Rendering =
  | { outcome: "rendered"; images: Buffer }
  | { outcome: "refused"; reason: string }
  | { outcome: "busy" };

/** Parses `500,100,16`, pixels per side. Returns `undefined` for anything else. */
function parseSizes(text: string | null): number[] | undefined {
  if (!/^[1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3})*$/.test(text ?? "")) return undefined;
  const sizes = (text ?? "").split(",").map(Number);
  return sizes.length <= MAX_SIZES && Math.max(...sizes) <= MAX_SIZE_PIXELS ? sizes : undefined;
}

/** Pixels per side of the JPEGs and of the WebPs. Colours are taken only with WebPs. */
interface Wanted {
  jpeg: number[];
  webp: number[];
}

/** Reads `sizes` and `webp` of a request. Returns `undefined` if either is malformed. */
export function wantedIn(asked: URLSearchParams): Wanted | undefined {
  const jpeg = parseSizes(asked.get("sizes"));
  const webp = asked.has("webp") ? parseSizes(asked.get("webp")) : [];
  return jpeg && webp && { jpeg, webp };
}

const turns = new ImageTurns(AT_ONCE, MAX_WAITING);

/** Returns the JPEGs in the order of their sizes, then WebPs and colours, each after its length. */
export async function renderImages(original: Buffer, wanted: Wanted, owner: string): Promise<Rendering> {
  if (!(await turns.enter(owner))) return { outcome: "busy" };
  try {
    return await render(original, wanted);
  } finally {
    turns.leave();
  }
}

async function render(original: Buffer, { jpeg, webp }: Wanted): Promise<Rendering> {
  const command = [process.execPath, PROGRAM, jpeg.join(), webp.join()];
  const child = spawn("/bin/sh", ["-c", LIMITED, "sh", String(CPU_SECONDS), ...command], {
    // Hostile bytes get no environment, but Node finds its compiled code, which takes a third off its start. The decoder's
    // warnings help nobody.
    env: { VIPS_WARNING: "0", ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  // A process that ends early leaves its input unread.
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
  // SIGKILL comes from us or from a lack of memory, so the image may be fine. Other signals are decoder
  // crashes.
  if (end === "SIGKILL") return { outcome: "busy" };
  if (end === "SIGXCPU") return { outcome: "refused", reason: "takes too long to decode" };
  if (typeof end === "string") return { outcome: "refused", reason: "cannot be decoded" };
  throw new Error(`the image process ended with ${end}`);
}

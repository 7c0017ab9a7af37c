import type { Env } from "../http/env.ts";
import { unavailable } from "../http/errors.ts";
import { describeError, logLine } from "../http/log.ts";
import { askTranscoder } from "../http/transcoder.ts";
import { FORMATS, type ImageKind } from "./formats.ts";

/** Milliseconds. A rendering takes a tenth of a second, a container that has to start first several. */
const PATIENCE_MS = 30_000;

/** Containers that render: bursts are spread, and a crash leaves the other one. */
const INSTANCES = 2;

export type Rendering = { images: { format: string; jpeg: Uint8Array }[] } | { refused: string };

/** Every format of the kind, made by the transcoder while we wait. Throws 503 where there is none. */
export async function renderFormats(env: Env, kind: ImageKind, original: Uint8Array): Promise<Rendering> {
  const formats = Object.entries(FORMATS[kind]);
  const path = `/images?sizes=${formats.map(([, size]) => size).join()}`;
  const instance = `images-${Math.floor(Math.random() * INSTANCES)}`;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await askTranscoder(env, instance, path, { body: original as BodyInit, signal });
    if (reply.status === 422) return { refused: (await reply.json<{ reason: string }>()).reason };
    if (reply.status === 200) {
      const jpegs = unpacked(await reply.arrayBuffer());
      return { images: formats.map(([format], index) => ({ format, jpeg: the(jpegs[index]) })) };
    }
    await reply.body?.cancel();
    logLine("warn", "image_not_rendered", { status: reply.status });
  } catch (error) {
    logLine("warn", "image_not_rendered", describeError(error));
  }
  return unavailable("Pictures cannot be taken just now; nothing was changed. Try again.");
}

/** Each stands behind its length: 32 bits, big-endian. */
function unpacked(reply: ArrayBuffer): Uint8Array[] {
  const view = new DataView(reply);
  const found: Uint8Array[] = [];
  for (let at = 0; at < reply.byteLength; ) {
    const length = view.getUint32(at);
    found.push(new Uint8Array(reply, at + 4, length));
    at += 4 + length;
  }
  return found;
}

function the(jpeg: Uint8Array | undefined): Uint8Array {
  if (!jpeg) throw new Error("the transcoder left out a format");
  return jpeg;
}

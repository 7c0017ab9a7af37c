import type { Env } from "../http/env.ts";
import { unavailable } from "../http/errors.ts";
import { describeError, logLine } from "../http/log.ts";
import { askTranscoder } from "../services/transcoder.ts";
import { FORMATS, type ImageKind } from "./formats.ts";

/** Milliseconds. A rendering takes a tenth of a second, a container that has to start first several. */
const PATIENCE_MS = 30_000;

/** Containers that render: bursts are spread, and a crash leaves the other one. */
const INSTANCES = 2;

export type Rendering = { images: { format: string; jpeg: Uint8Array }[] } | { refused: string };

/** Every format of the kind, made by the transcoder while we wait. Throws 503 where there is none. */
export async function renderFormats(env: Env, kind: ImageKind, original: Uint8Array): Promise<Rendering> {
  const path = `/images?sizes=${Object.values(FORMATS[kind]).join()}`;
  const instance = `images-${Math.floor(Math.random() * INSTANCES)}`;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await askTranscoder(env, instance, path, { body: original as BodyInit, signal });
    if (reply.status === 422) return { refused: (await reply.json<{ reason: string }>()).reason };
    if (reply.status === 200)
      return { images: unpacked(Object.keys(FORMATS[kind]), await reply.arrayBuffer()) };
    await reply.body?.cancel();
    logLine("warn", "image_not_rendered", { status: reply.status });
  } catch (error) {
    logLine("warn", "image_not_rendered", describeError(error));
  }
  return unavailable("Pictures cannot be taken just now; nothing was changed. Try again.");
}

/** Each stands behind its length: 32 bits, big-endian. Reading past the end of a reply that lacks some throws. */
function unpacked(formats: string[], reply: ArrayBuffer): { format: string; jpeg: Uint8Array }[] {
  const view = new DataView(reply);
  let at = 0;
  return formats.map((format) => {
    const jpeg = new Uint8Array(reply, at + 4, view.getUint32(at));
    at += 4 + jpeg.byteLength;
    return { format, jpeg };
  });
}

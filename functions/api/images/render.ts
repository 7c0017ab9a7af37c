import type { Env } from "../../lib/http/env.ts";
import { unavailable } from "../../lib/http/errors.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { askTranscoder, poolSize, transcoderName } from "../../lib/services/transcoder.ts";
import { FORMATS, type ImageKind } from "./formats.ts";

/** Milliseconds. Rendering takes a tenth of a second, starting a container several. */
const PATIENCE_MS = 30_000;

/**
 * Number of transcoders that render: the first of the pool, which are the warmest. Two, so that one survives the
 * other's crash.
 */
const RENDERING = 2;

type Rendering = { images: { format: string; jpeg: Uint8Array }[] } | { refused: string };

/** Makes the transcoder render every format of the kind; owners take turns there. Throws 503 if none is available. */
export async function renderFormats(
  env: Env,
  kind: ImageKind,
  original: Uint8Array,
  owner: string,
): Promise<Rendering> {
  const path = `/images?sizes=${Object.values(FORMATS[kind]).join()}&owner=${owner}`;
  const transcoder = transcoderName(Math.floor(Math.random() * Math.min(RENDERING, poolSize(env))));
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await askTranscoder(env, transcoder, path, { body: original as BodyInit, signal });
    if (reply.status === 422) return { refused: (await reply.json<{ reason: string }>()).reason };
    if (reply.status === 200)
      return { images: unpackRenderings(Object.keys(FORMATS[kind]), await reply.arrayBuffer()) };
    await reply.body?.cancel();
    logLine("warn", "image_not_rendered", { status: reply.status });
  } catch (error) {
    logLine("warn", "image_not_rendered", describeError(error));
  }
  return unavailable("Pictures cannot be processed at the moment; nothing was changed. Try again.");
}

/** Each image follows its length: 32 bits, big-endian. Reading past the end of a short reply throws. */
function unpackRenderings(formats: string[], reply: ArrayBuffer): { format: string; jpeg: Uint8Array }[] {
  const view = new DataView(reply);
  let at = 0;
  return formats.map((format) => {
    const jpeg = new Uint8Array(reply, at + 4, view.getUint32(at));
    at += 4 + jpeg.byteLength;
    return { format, jpeg };
  });
}

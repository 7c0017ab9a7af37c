import type { Env } from "../../lib/http/env.ts";
import { unavailable } from "../../lib/http/errors.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { askTranscoder, poolSize, transcoderName } from "../../lib/services/transcoder.ts";
import { FORMATS, type ImageKind, WEBP_FORMATS } from "./formats.ts";

/** Milliseconds. Rendering takes a tenth of a second, starting a container several. */
const PATIENCE_MS = 30_000;

/**
 * Number of transcoders that render: the first of the pool, which are the warmest. Two, so that one survives the
 * other's crash.
 */
const RENDERING = 2;

interface RenderedFile {
  /** Below the picture's prefix. */
  name: string;
  contentType: "image/jpeg" | "image/webp";
  bytes: Uint8Array<ArrayBuffer>;
}

/** `colors` is null for avatars, and from a transcoder of the release before. */
type Rendering = { files: RenderedFile[]; colors: string | null } | { refused: string };

/** Makes the transcoder render every format of the kind; owners take turns there. Throws 503 if none is available. */
export async function renderFormats(
  env: Env,
  kind: ImageKind,
  original: Uint8Array,
  owner: string,
): Promise<Rendering> {
  const more = kind === "artwork" ? `&webp=${Object.values(WEBP_FORMATS).join()}` : "";
  const path = `/images?sizes=${Object.values(FORMATS[kind]).join()}${more}&owner=${owner}`;
  const transcoder = transcoderName(Math.floor(Math.random() * Math.min(RENDERING, poolSize(env))));
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await askTranscoder(env, transcoder, path, { body: original as BodyInit, signal });
    if (reply.status === 422) return { refused: (await reply.json<{ reason: string }>()).reason };
    if (reply.status === 200) return filesIn(kind, unpack(await reply.arrayBuffer()));
    await reply.body?.cancel();
    logLine("warn", "image_not_rendered", { status: reply.status });
  } catch (error) {
    logLine("warn", "image_not_rendered", describeError(error));
  }
  return unavailable("Pictures cannot be processed at the moment; nothing was changed. Try again.");
}

/** Each part follows its length: 32 bits, big-endian. Reading past the end of a short reply throws. */
function unpack(reply: ArrayBuffer): Uint8Array<ArrayBuffer>[] {
  const view = new DataView(reply);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < reply.byteLength; ) {
    const part = new Uint8Array(reply, at + 4, view.getUint32(at));
    at += 4 + part.byteLength;
    parts.push(part);
  }
  return parts;
}

/** The JPEGs come first, then the WebPs, then the colours. */
function filesIn(kind: ImageKind, parts: Uint8Array<ArrayBuffer>[]): Rendering {
  const jpegs = Object.keys(FORMATS[kind]).map(
    (format) => ({ name: `${format}.jpg`, contentType: "image/jpeg" }) as const,
  );
  const webps = Object.keys(WEBP_FORMATS).map(
    (format) => ({ name: `${format}.webp`, contentType: "image/webp" }) as const,
  );
  if (parts.length < jpegs.length) throw new RangeError("The transcoder rendered too few formats");
  const colors = parts[jpegs.length + webps.length];
  return {
    files: [...jpegs, ...webps].flatMap((file, at) => {
      const bytes = parts[at];
      return bytes ? [{ ...file, bytes }] : [];
    }),
    colors: colors ? Buffer.from(colors).toString("hex") : null,
  };
}

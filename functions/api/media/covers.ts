import type { Context } from "hono";
import * as z from "zod";
import { openStorage } from "../../../db/objects/open.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { serveSmallFile } from "../../lib/http/files/stored-file.ts";
import { drawCover, svgOf } from "../../lib/pictures/cover.ts";
import { prefixOf, waveforms } from "./rights.ts";
import type { MediaGrant } from "./token.ts";
import { served } from "./whole-mp3.ts";

/** Browsers keep the cover of a public track so long. A drawing of another release is seen after a week. */
const A_WEEK = "public, max-age=604800";

const Samples = z.object({ samples: z.array(z.number()) });

/** Draws the track's stored waveform. The data centre caches the drawing. */
export async function sendCover(c: Context<AppEnv>, grant: MediaGrant): Promise<Response> {
  const found = await waveforms.checkCached(c, grant);
  return serveSmallFile(c, {
    ...served("image/svg+xml", grant, found),
    ...(!grant.private && { cacheControl: A_WEEK }),
    key: `${prefixOf(grant)}cover.svg`,
    load: async () => {
      const stored = await openStorage(c.env).objects.get("media", `${prefixOf(grant)}waveform.json`);
      const { samples } = Samples.parse(await new Response(stored?.body ?? notFound("Media")).json());
      return drawn(svgOf(drawCover(grant.trackId, samples)));
    },
  });
}

function drawn(svg: string): { size: number; body: ReadableStream<Uint8Array> } {
  const image = new Blob([svg]);
  return { size: image.size, body: image.stream() };
}

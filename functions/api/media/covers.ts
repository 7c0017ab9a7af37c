import type { Context } from "hono";
import * as z from "zod";
import { openStorage } from "../../../db/objects/open.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { serveSmallFile } from "../../lib/http/files/stored-file.ts";
import { drawCover, svgOf } from "../../lib/pictures/cover.ts";
import { pngOf } from "../../lib/pictures/cover-png.ts";
import { sideOf } from "../../lib/pictures/formats.ts";
import { prefixOf, waveforms } from "./rights.ts";
import type { MediaGrant } from "./token.ts";
import { served } from "./whole-mp3.ts";

/** Browsers cache the cover of a public track for a week. Until then they miss the drawing of a new release. */
const A_WEEK = "public, max-age=604800";

const Samples = z.object({ samples: z.array(z.number()) });

/**
 * Draws the track's stored waveform, as SVG or in a format as PNG. A lost waveform leaves the pattern of the id. The
 * data centre caches the drawing.
 */
export async function sendCover(c: Context<AppEnv>, grant: MediaGrant, format?: string): Promise<Response> {
  const found = await waveforms.checkCached(c, grant);
  const name = format ? `cover/${format}.png` : "cover.svg";
  return serveSmallFile(c, {
    ...served(format ? "image/png" : "image/svg+xml", grant, found),
    ...(!grant.private && { cacheControl: A_WEEK }),
    key: prefixOf(grant) + name,
    load: async () => {
      const stored = await openStorage(c.env).objects.get("media", `${prefixOf(grant)}waveform.json`);
      const waveform = stored && Samples.parse(await new Response(stored.body).json());
      const drawing = drawCover(grant.trackId, waveform?.samples);
      const image = new Blob([format ? pngOf(drawing, sideOf(format) ?? 0) : svgOf(drawing)]);
      return { size: image.size, body: image.stream() };
    },
  });
}

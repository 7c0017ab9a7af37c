import type { Context } from "hono";
import { openStorage } from "../../../db/objects/open.ts";
import type { OpenMedia } from "../../../db/queries/media.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { type PartedFile, partedFile } from "../../lib/http/files/parted-file.ts";
import { etagOf, serveFile } from "../../lib/http/files/stored-file.ts";
import { reportPlay } from "./play-report.ts";
import { cacheControl, type FinishedMedia, playable, prefixOf } from "./rights.ts";
import type { MediaGrant } from "./token.ts";

/** Seconds in a data centre's cache. Each request checks the right first, so a takedown need not reach it. */
const CACHED_FOR_S = 86_400;

export const served = (contentType: string, grant: MediaGrant, found: OpenMedia) => ({
  contentType,
  cacheControl: cacheControl(grant, found),
  cachedForS: CACHED_FOR_S,
});

type Found = OpenMedia & Pick<FinishedMedia, "media">;

export function wholeMp3(c: Context<AppEnv>, grant: MediaGrant, found: Found): PartedFile {
  const { bytes, part_bytes } = found.media.renditions.mp3_128;
  const key = `${prefixOf(grant)}mp3/`;
  return partedFile(c, openStorage(c.env).objects, {
    ...served("audio/mpeg", grant, found),
    size: bytes,
    etag: etagOf(key),
    partKey: (n) => `${key}${n}.mp3`,
    partBytes: part_bytes,
    mayGoOn: () => playable(c, grant),
  });
}

/** Sends the whole track or the requested range, and counts a play from its first byte. */
export async function sendWholeMp3(c: Context<AppEnv>, grant: MediaGrant, found: Found): Promise<Response> {
  const reply = await serveFile(c, wholeMp3(c, grant, found));
  reportPlay(c, grant, reply);
  return reply;
}

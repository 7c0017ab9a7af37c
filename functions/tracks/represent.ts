import type { TrackRow } from "../../db/queries/tracks.ts";
import type { Env } from "../http/env.ts";
import { waveformUrl } from "../media/links.ts";
import { unseal } from "../security/sealing.ts";
import { representTrack, type Track } from "./representation.ts";

/** Represents a row with this deployment's addresses and keys. */
export const asTrack = (env: Env, track: TrackRow): Track =>
  representTrack(track, {
    links: env,
    unseal: (sealed) => unseal(env, Buffer.from(sealed, "base64")),
    waveformUrl: (row) => waveformUrl(env, row),
  });

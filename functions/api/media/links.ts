import type { TrackRow } from "../../../db/queries/track-rows.ts";
import type { Env } from "../../lib/http/env.ts";
import { mediaToken, type PlayedFrom, type Rendition } from "./token.ts";

/** Seconds. Long enough to listen, pause and resume. */
const MIN_TTL_S = 3600;

/** Milliseconds: the longest accepted track, for one that is still being encoded. */
const LONGEST_MS = 24 * 3600 * 1000;

/** Hex digits of the secret's hash in a URL: 64 bits, checked against one track only. */
const SECRET_PREFIX_LENGTH = 16;

type MediaTrack = Pick<TrackRow, "id" | "state" | "media_prefix" | "growing" | "sharing" | "secret_hash">;

type MediaEnv = Pick<Env, "SIGNING_KEYS" | "API_URL">;

/** The listener, and the request's secret, if any. Replacing the secret ends a private track's URLs. */
export interface Listener {
  userId: number | null;
  /** SHA-256 of the request's secret token, whatever it opens. */
  secretHash?: Uint8Array | undefined;
  /** The app and the page that play it, for the owner's insights. */
  from?: PlayedFrom | undefined;
}

/** Makes a URL that plays without further headers. It expires after twice the duration, but at least 1 h. */
export function mediaUrl(
  env: MediaEnv,
  track: TrackRow,
  rendition: Rendition,
  listener: Listener,
  file: string,
): string {
  const ttlS = Math.max(MIN_TTL_S, Math.ceil((track.duration_ms ?? LONGEST_MS) / 500));
  const token = mediaToken(env, {
    trackId: track.id,
    lease: leaseOf(track),
    rendition,
    expiresAtS: Math.ceil(Date.now() / 1000) + ttlS,
    listenerId: listener.userId,
    private: track.sharing === "private",
    secretPrefix: track.secret_hash.slice(0, SECRET_PREFIX_LENGTH),
    openedBy: track.sharing === "private" ? Buffer.from(listener.secretHash ?? []).toString("base64url") : "",
    from: listener.from,
  });
  return `${env.API_URL}/media/${token}/${file}`;
}

/** Makes the same URL each time, so that caches hit. Replacing the secret ends a private track's URL. */
export function waveformUrl(env: MediaEnv, track: MediaTrack): string | null {
  if (track.state !== "finished" || !track.media_prefix) return null;
  const isPrivate = track.sharing === "private";
  const secretPrefix = isPrivate ? track.secret_hash.slice(0, SECRET_PREFIX_LENGTH) : "";
  const token = mediaToken(env, {
    trackId: track.id,
    lease: leaseOf(track),
    rendition: "waveform",
    expiresAtS: 0,
    listenerId: null,
    private: isPrivate,
    secretPrefix,
    openedBy: "",
  });
  return `${env.API_URL}/media/${token}/waveform.png`;
}

/** `t/<track>/<lease>/` */
const leaseOf = ({ media_prefix, growing }: MediaTrack): string =>
  (media_prefix ?? growing?.media_prefix)?.split("/")[2] ?? "";

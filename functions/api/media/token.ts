import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { sign, verify } from "../../lib/security/signing.ts";

/**
 * Files that a media URL opens. `hls` includes the master playlist and both bitrates, `hls_96` only the lower
 * one.
 */
export const Rendition = z.enum(["hls", "hls_96", "hls_mp3", "mp3", "preview", "waveform"]);
export type Rendition = z.infer<typeof Rendition>;

export const TokenInPath = z.object({
  token: z.string().max(500).describe("Signed; comes with the links of `/streams`."),
});

/** Content of a media URL. It is a bearer credential: anybody who has it may play until it expires. */
export interface MediaGrant {
  trackId: number;
  /** The encoding attempt that produced the files. */
  lease: string;
  rendition: Rendition;
  /** Seconds since 1970; 0 for waveforms, which never expire. */
  expiresAtS: number;
  /** User id; null for an app's own token and for visitors of pages. */
  listenerId: number | null;
  /**
   * Whether the track was private when the URL was made. Each request then queries the database, so a new secret works
   * at once.
   */
  private: boolean;
  /** Start of the hash of the track's secret, which must still match. "" for waveforms of public tracks. */
  secretPrefix: string;
  /**
   * Hash of the secret that opened a private track, its own or a playlist's. It must still open it. "" for
   * none.
   */
  openedBy: string;
  /** The app and the page that play it, for the owner's insights. */
  from?: PlayedFrom | undefined;
}

/** The app that asked for the URL, and the page of others that it plays in or that led there. */
export interface PlayedFrom {
  /** A client id; `embed` for the embedded player, `feed` for podcast programs. */
  app: string;
  /** A host. */
  referrer?: string | undefined;
}

const Payload = z.tuple([
  z.int(),
  z.uuid(),
  Rendition,
  z.int(),
  z.int().nullable(),
  z.boolean(),
  z.string(),
  z.base64url(),
  // App and referrer, with a space between. Earlier releases knew an app alone, so both share one place.
  z.string().optional(),
]);

export const mediaToken = (env: Pick<Env, "SIGNING_KEYS">, grant: MediaGrant): string =>
  sign(
    env,
    "media",
    JSON.stringify([
      grant.trackId,
      grant.lease,
      grant.rendition,
      grant.expiresAtS,
      grant.listenerId,
      grant.private,
      grant.secretPrefix,
      grant.openedBy,
      ...(grant.from ? [[grant.from.app, grant.from.referrer].filter(Boolean).join(" ")] : []),
    ]),
  );

/** Returns `undefined` for a forged or expired token. */
export function readMediaToken(env: Pick<Env, "SIGNING_KEYS">, token: string): MediaGrant | undefined {
  const payload = verify(env, "media", token);
  if (payload === undefined) return undefined;
  // Tokens of another release may have another shape.
  const { data } = Payload.safeParse(JSON.parse(payload));
  if (!data) return undefined;
  const [trackId, lease, rendition, expiresAtS, listenerId, isPrivate, secretPrefix, openedBy, from] = data;
  if (expiresAtS !== 0 && expiresAtS * 1000 < Date.now()) return undefined;
  return {
    trackId,
    lease,
    rendition,
    expiresAtS,
    listenerId,
    private: isPrivate,
    secretPrefix,
    openedBy,
    ...(from && { from: readFrom(from) }),
  };
}

function readFrom(text: string): PlayedFrom {
  const [app = "", referrer] = text.split(" ");
  return { app, referrer };
}

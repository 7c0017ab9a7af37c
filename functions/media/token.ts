import * as z from "zod";
import type { Env } from "../http/env.ts";
import { sign, verify } from "../security/signing.ts";

/** What a media URL opens. `hls` covers the master playlist and both bitrates, `hls_96` the smaller one alone. */
export const Rendition = z.enum(["hls", "hls_96", "hls_mp3", "mp3", "preview", "waveform"]);
export type Rendition = z.infer<typeof Rendition>;

/** What a media URL says of itself. It is a bearer credential: whoever holds it may play until it expires. */
export interface MediaGrant {
  trackId: number;
  /** The encoding attempt whose outputs these are. */
  lease: string;
  rendition: Rendition;
  /** Seconds since 1970; 0 never, for waveforms. */
  expiresAtS: number;
  /** User id, or null for an app's own token and visitors of pages. */
  listenerId: number | null;
  /** Private when the URL was made: then each request asks the database anew, so that a new secret ends it at once. */
  private: boolean;
  /** Start of the hash of the track's secret: a private track plays only as long as it has that one. "" for waveforms of public ones. */
  secretPrefix: string;
  /** Hash of the secret that came for a private track, its own or a playlist's, which has to open it still; "" for none. */
  openedBy: string;
  /** Client id of the app that asked for the URL, where no user did. */
  app?: string | undefined;
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
      ...(grant.app === undefined ? [] : [grant.app]),
    ]),
  );

/** `undefined` for a token that we did not make, or that has expired. */
export function readMediaToken(env: Pick<Env, "SIGNING_KEYS">, token: string): MediaGrant | undefined {
  const payload = verify(env, "media", token);
  if (payload === undefined) return undefined;
  // Another release's tokens may be made up otherwise.
  const { data } = Payload.safeParse(JSON.parse(payload));
  if (!data) return undefined;
  const [trackId, lease, rendition, expiresAtS, listenerId, isPrivate, secretPrefix, openedBy, app] = data;
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
    app,
  };
}

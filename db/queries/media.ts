import { and, eq, isNotNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../client.ts";
import { users } from "../schema/people.ts";
import { tracks } from "../schema/tracks.ts";
import { StoredSelect } from "../stored-select.ts";
import { firstRow } from "./caller.ts";
import { growing } from "./show-tracks.ts";
import type { Access, LoudnessRow } from "./track-rows.ts";
import { type Opening, trackAccess } from "./visibility.ts";

/** Report of the transcoder on a finished track. */
export interface Media {
  /** Samples per channel at `sample_rate`, after decoding. */
  frames: number;
  /** 44,100 or 48,000. */
  sample_rate: number;
  renditions: {
    aac_160: HlsRendition;
    aac_96: HlsRendition;
    mp3_128: { bytes: number; part_bytes: number };
    preview_mp3_128: { bytes: number };
  };
  loudness?: LoudnessRow;
  /** Codes. */
  warnings?: string[];
}

interface HlsRendition {
  /** Bits per second: the maximum of any segment, and the average of all. */
  bandwidth: number;
  average_bandwidth: number;
  /** RFC 6381. */
  codecs: string;
}

/** Location of the files behind a media URL, while the URL is valid. */
export interface OpenMedia {
  media_prefix: string;
  /** True if access is the same for all listeners everywhere. */
  for_all: boolean;
}

/** Media that may be played now. */
const playable = (opening: Opening) => ({
  columns: {
    media_prefix: sql<string>`coalesce(${tracks.mediaPrefix}, ${growing}->>'media_prefix')`,
    for_all: sql<boolean>`(${tracks.sharing} = 'public' and ${tracks.streamable}
      and ${tracks.availableCountryCodes} is null and ${tracks.paywall} is null)`,
    access: sql<Access>`${trackAccess(opening)}`,
    /** Null until the track is finished. */
    media: sql<Media | null>`${tracks.media}`,
    /** Null except while the track is being encoded. */
    growing,
  },
  condition: and(
    or(eq(tracks.state, "finished"), isNotNull(growing)),
    sql`${trackAccess(opening)} in ('playable', 'preview')`,
  ),
});

const hexOfSecret = sql`encode(${tracks.secretHash}, 'hex')`;

/** Whether a URL carries the start of the hash of the track's present secret. */
const hasPrefix = (prefix: SQL) => and(ne(prefix, ""), sql`starts_with(${hexOfSecret}, ${prefix})`);

/** The URL ends when a track or playlist changes its secret, or the track leaves the playlist. */
export const mediaOfUrl = new StoredSelect(
  "media_of_url",
  { track: "bigint", secret_prefix: "text", user: "bigint", secret_hash: "bytea", country: "text" },
  (given, on) => {
    const { columns, condition } = playable(given);
    return on
      .select(columns)
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(
        and(
          eq(tracks.id, given.track),
          condition,
          or(eq(tracks.sharing, "public"), hasPrefix(given.secret_prefix)),
        ),
      );
  },
);

/**
 * Everyone who sees the track may load its waveform, even if the track is not playable. A private track's URL ends
 * with its secret.
 */
export const waveformOfUrl = new StoredSelect(
  "waveform_of_url",
  { track: "bigint", secret_prefix: "text" },
  (given, on) =>
    on
      .select({
        media_prefix: sql<string>`${tracks.mediaPrefix}`,
        for_all: sql<boolean>`${tracks.sharing} = 'public'`,
      })
      .from(tracks)
      .innerJoin(users, eq(users.id, tracks.userId))
      .where(
        and(
          eq(tracks.id, given.track),
          eq(tracks.state, "finished"),
          ne(
            trackAccess({
              user: sql`null::bigint`,
              secret_hash: sql`case when ${hasPrefix(given.secret_prefix)} then ${tracks.secretHash} end`,
              country: sql`null::text`,
            }),
            "none",
          ),
        ),
      ),
);

/** Claims of a media URL. `secretPrefix` begins the hash of the track's secret at that time. */
interface MediaBearer {
  trackId: number;
  listenerId: number | null;
  secretPrefix: string;
  /** Hash of the secret that granted access, base64url; "" for none. */
  openedBy: string;
}

/** `undefined` if nothing may be played. */
export const findMedia = (
  db: Database,
  { trackId, listenerId, secretPrefix, openedBy }: MediaBearer,
  country: string | undefined,
) =>
  db
    .read(
      mediaOfUrl.with({
        track: trackId,
        secret_prefix: secretPrefix,
        user: listenerId,
        secret_hash: openedBy ? Buffer.from(openedBy, "base64url") : null,
        country: country ?? null,
      }),
    )
    .then(firstRow);
export type PlayableMedia = NonNullable<Awaited<ReturnType<typeof findMedia>>>;

/** `undefined` if the track is hidden. */
export const findWaveform = (
  db: Database,
  { trackId, secretPrefix }: MediaBearer,
): Promise<OpenMedia | undefined> =>
  db.read(waveformOfUrl.with({ track: trackId, secret_prefix: secretPrefix })).then(firstRow);

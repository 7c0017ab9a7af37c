import type { SiteComment, SitePage } from "../../../db/queries/site-pages.ts";
import type { TrackRow } from "../../../db/queries/track-rows.ts";
import { representTrack, type Track } from "../../api/tracks/representation.ts";
import { secretHashOf } from "../../api/tracks/secret.ts";
import { isPlayable, streamsOf } from "../../api/tracks/streams.ts";
import type { Env } from "../../lib/http/env.ts";
import { textOf } from "../../lib/text/plain-text.ts";

/** Milliseconds. */
const PREVIEW_MS = 30_000;

interface Remark {
  /** Milliseconds. */
  at: number;
  by: string;
  text: string;
}

/** The track that the player plays, as `embed.client.ts` reads it from the page. */
export interface Played {
  /** Counted from 0. */
  index: number;
  sound: Track | null;
  /** The reason why it cannot be played. */
  trouble?: string;
  sources?: { state: "growing" | "finished"; hls?: string | undefined; mp3?: string | undefined };
  isPreview: boolean;
  /** Length of the playable part. */
  durationMs: number;
  comments: Remark[];
}

interface Choice {
  secret: string | undefined;
  showsComments: boolean;
  /** Id of the requested track of the list. */
  chosen: number | undefined;
  /** The host of the page that embeds the player. */
  embeddedBy: string | undefined;
}

/** Chooses the track of a page to play, with URLs for its visitor. */
export function playedOf(
  env: Env,
  page: SitePage,
  { secret, showsComments, chosen, embeddedBy }: Choice,
): Played {
  const row = page.track ?? page.played;
  const sound = row ? representTrack(env, row) : null;
  const index = Math.max(
    0,
    page.items.findIndex(({ id }) => id === row?.id),
  );
  const base = { index, sound, isPreview: false, durationMs: sound?.duration ?? 0, comments: [] };
  const trouble = row || chosen === undefined ? troubleOf(row) : "This track is no longer in this list.";
  if (!row || !sound || trouble) return { ...base, trouble: trouble ?? "" };
  const streams = streamsOf(env, row, {
    userId: null,
    secretHash: secretHashOf(secret),
    from: { app: "embed", referrer: embeddedBy },
  });
  const isPreview = streams.hls_aac_160_url === undefined;
  return {
    ...base,
    sources: {
      state: sound.state === "processing" ? "growing" : "finished",
      hls: streams.hls_aac_160_url,
      mp3: streams.http_mp3_128_url ?? streams.preview_mp3_128_url,
    },
    isPreview,
    durationMs: isPreview ? Math.min(sound.duration, PREVIEW_MS) : sound.duration,
    comments: showsComments ? page.comments.map(remark) : [],
  };
}

const remark = ({ timestamp, user, body }: SiteComment): Remark => ({
  at: timestamp,
  by: user.username,
  text: textOf(body),
});

/** A set may hold tracks whose owners allow no embedding. */
function troubleOf(row: TrackRow | undefined): string | undefined {
  if (!row) return "There is nothing to play here yet.";
  if (row.embeddable_by !== "all") return "Its owner does not allow playing this track on other sites.";
  if (isPlayable(row)) return undefined;
  if (row.state === "processing") return "This track is being encoded and will play here soon.";
  return row.state === "failed" ? "This track cannot be played." : "This track is not available to you.";
}

import { findChapteredTrack } from "../../../../db/queries/chapters.ts";
import type { StoredChapters } from "../../../../db/queries/podcasts.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import type { Listener } from "../../../api/media/links.ts";
import { listedChapters } from "../../../api/podcasts/chapters.ts";
import { artistLine } from "../../../api/tracks/artists.ts";
import { representTrack } from "../../../api/tracks/representation.ts";
import { presentedBy, secretHashOf } from "../../../api/tracks/secret.ts";
import { isPlayable, streamsOf } from "../../../api/tracks/streams.ts";
import type { Env } from "../../../lib/http/env.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { readAsReader, SITE_VISITOR, siteViewer } from "../../../ui/viewer.ts";
import { pictureOf } from "../../embed/covers.ts";
import { inFormat } from "../../embed/representation.ts";

/** {web_url}/you/sources: URLs and texts for the site's player. Lists hold no signed URLs. */
export const sources = new Routes();

/** Milliseconds. */
const PREVIEW_MS = 30_000;

/** Read by the site's scripts. `state` is `growing` while a playable track is still being encoded. */
export interface Sources {
  id: number;
  state: "finished" | "growing" | "processing" | "failed" | "blocked";
  hls?: string | undefined;
  mp3?: string | undefined;
  isPreview: boolean;
  /** Milliseconds of the playable part, and of the whole track. */
  durationMs: number;
  trackMs: number;
  lufs?: number | undefined;
  waveform?: string | undefined;
  title: string;
  artist: string;
  /** Address of the picture in the format `t300x300`. */
  artwork: string;
  page: string;
  artistPage: string;
  /** Those that the page lists, if any. `start` is in milliseconds. */
  chapters?: { start: number; title: string }[];
  /** Undefined for a visitor. */
  liked?: boolean | undefined;
}

/** Music that was handed to pages of accounts and docs goes on there, private tracks of the reader's included. */
const openToOwnHosts = ({ AUTH_URL, API_URL }: Env, origin: string | undefined): [string, string][] =>
  [AUTH_URL, API_URL].some((url) => new URL(url).origin === origin) && origin !== undefined
    ? [
        ["Access-Control-Allow-Origin", origin],
        ["Access-Control-Allow-Credentials", "true"],
      ]
    : [];

sources.page("/you/sources/:id", async (c) => {
  const secret = c.req.query("secret_token");
  const id = Number(c.req.param("id"));
  const facts = presentedBy(c.req, secret);
  const found = await readAsReader(c, (db, viewer) => findChapteredTrack(db, viewer, id, facts));
  const { track, stored } = found ?? notFound("Track");
  const listener = { userId: siteViewer(c)?.userId ?? null, secretHash: secretHashOf(secret) };
  for (const [name, value] of openToOwnHosts(c.env, c.req.header("Origin"))) c.header(name, value);
  return c.json(sourcesOf(c.env, { row: track, stored }, listener, secret), 200, {
    "Cache-Control": "private, no-store",
  });
});

interface SourcesProps {
  row: TrackRow;
  /** Null if only its description may hold chapters. */
  stored: StoredChapters | null;
}

export function sourcesOf(
  env: Env,
  { row, stored }: SourcesProps,
  listener: Listener,
  secret: string | undefined,
): Sources {
  const track = representTrack(env, row);
  const streams = isPlayable(row)
    ? streamsOf(env, row, { from: { app: SITE_VISITOR.clientId }, ...listener })
    : {};
  const words = { description: track.description, durationMs: track.duration };
  const chapters = row.access === "playable" ? listedChapters({ stored, ...words }) : [];
  const isPreview = row.access === "preview";
  const page = track.permalink_url;
  return {
    id: track.id,
    state: stateOf(row),
    hls: streams.hls_aac_160_url,
    mp3: streams.http_mp3_128_url ?? streams.preview_mp3_128_url,
    isPreview,
    durationMs: isPreview ? Math.min(track.duration, PREVIEW_MS) : track.duration,
    trackMs: track.duration,
    lufs: track.loudness?.integrated ?? undefined,
    waveform: track.waveform_url ?? undefined,
    title: track.title,
    artist: artistLine(track),
    artwork: inFormat(pictureOf(track), "t300x300"),
    page: secret && track.sharing === "private" ? `${page}/${secret}` : page,
    artistPage: track.user.permalink_url,
    ...(chapters.length > 0 && {
      chapters: chapters.map(({ start, title = "Chapter" }) => ({ start, title })),
    }),
    liked: track.user_favorite,
  };
}

function stateOf(row: TrackRow): Sources["state"] {
  if (row.access === "blocked") return "blocked";
  return row.state === "processing" && isPlayable(row) ? "growing" : row.state;
}

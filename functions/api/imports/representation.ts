import * as z from "zod";
import type { ImportEpisodeRow } from "../../../db/queries/import-episodes.ts";
import { EPISODE_STEPS, type ImportRow } from "../../../db/queries/podcast-imports.ts";
import type { Env } from "../../lib/http/env.ts";
import { apiUrl, type Links, webUrl } from "../../lib/http/links.ts";
import { collectionOf } from "../../lib/http/paging.ts";
import { kindOf, resourceId, resourceUri } from "../../lib/http/reply-fields.ts";
import { about } from "../../lib/text/fields.ts";
import { reasonSentence } from "../tracks/failures.ts";
import { proofText } from "./begin.ts";
import { importReason } from "./reasons.ts";

const Count = z.int().min(0);
const Instant = z.string().nullable();

const Counts = z
  .strictObject({
    waiting: Count.meta(about("Not fetched yet.", 40)),
    fetching: Count.meta(about("Being fetched: one at a time.", 1)),
    encoding: Count.meta(about("Tracks that are being encoded.", 2)),
    done: Count.meta(about("Tracks that play.", 57)),
    failed: Count.meta(about("Can be tried again.", 0)),
    left_out: Count.meta(about("Not imported, each for its own reason.", 3)),
    cancelled: Count.meta(about("Were not fetched when the import was stopped.", 0)),
  })
  .meta({ id: "PodcastImportCounts" });

export const PodcastImport = z
  .strictObject({
    id: resourceId(338914811904700),
    kind: kindOf("podcast-import"),
    uri: resourceUri("me/podcast-imports/338914811904700"),
    episodes_uri: z
      .url()
      .meta(
        about(
          "Its episodes, one by one.",
          "https://api.soundpost.example/me/podcast-imports/338914811904700/episodes",
        ),
      ),
    created_at: z.string().meta(about("RFC 3339.", "2026-11-28T12:00:00.000Z")),
    started_at: Instant.meta(about("RFC 3339; null until it is confirmed.", null)),
    ended_at: Instant.meta(about("RFC 3339; null until everything is fetched.", null)),
    state: z
      .enum(["preview", "running", "done", "cancelled"])
      .meta(
        about(
          "`preview` until you prove that the podcast is yours, `running` while files are fetched. Encodes may end after `done`.",
          "preview",
        ),
      ),
    feed_url: z.string().meta(about("Where it comes from.", "https://feeds.example/night-trains.xml")),
    title: z.string().meta(about("Title of the podcast.", "Night Trains")),
    author: z.string().nullable().meta(about("The feed's author; null if it names none.", "Ana Torres")),
    locked: z
      .boolean()
      .meta(
        about("`podcast:locked`: the import cannot be confirmed before its present host unlocks it.", false),
      ),
    owner_email: z
      .string()
      .nullable()
      .meta(
        about(
          "Where the code was mailed: the owner's address in the feed. Null if the feed names none, names one that had five codes within the hour, or is locked.",
          "ana@soundpost.example",
        ),
      ),
    proof_text: z
      .string()
      .meta(
        about(
          'Proves that the feed is yours, in place of the code: put it into the feed\'s description, or into `<podcast:txt purpose="verify">`.',
          "soundpost-verify-338914811904777",
        ),
      ),
    guid: z
      .string()
      .nullable()
      .meta(
        about(
          "The feed's `podcast:guid`, which stays; null if it has none.",
          "917393e3-1b1e-5cef-ace4-edaa54e1f810",
        ),
      ),
    bytes: Count.meta(about("Bytes of the files to import, as far as they are known.", 4294967296)),
    episodes: Counts.describe("Number of episodes in each state."),
    playlist_id: z
      .int()
      .nullable()
      .meta(about("The playlist that holds the podcast; null until it is confirmed.", null)),
    playlist_url: z.string().nullable().meta(about("The playlist's page; null until it is confirmed.", null)),
    playlist_removed: z
      .boolean()
      .meta(about("Operators removed the playlist: nothing is fetched until they restore it.", false)),
  })
  .meta({ id: "PodcastImport" });
export type PodcastImport = z.infer<typeof PodcastImport>;

export const PodcastImports = collectionOf(PodcastImport, "me/podcast-imports").meta({
  id: "PodcastImports",
});

export const importUri = (env: Env, id: number): string => apiUrl(env, `/me/podcast-imports/${id}`);

const instant = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());

export function representImport(env: Env, row: ImportRow): PodcastImport {
  const { show } = row;
  const {
    waiting = 0,
    fetching = 0,
    encoding = 0,
    done = 0,
    failed = 0,
    left_out = 0,
    cancelled = 0,
  } = row.counts;
  return {
    id: row.id,
    kind: "podcast-import",
    uri: importUri(env, row.id),
    episodes_uri: `${importUri(env, row.id)}/episodes`,
    created_at: row.created_at,
    started_at: instant(row.started_at),
    ended_at: instant(row.ended_at),
    state: row.state,
    feed_url: row.feed_url,
    title: row.title,
    author: show.author,
    locked: show.locked,
    owner_email: row.owner_email,
    proof_text: proofText(row.user_id),
    guid: show.guid,
    bytes: row.bytes,
    episodes: { waiting, fetching, encoding, done, failed, left_out, cancelled },
    playlist_id: row.playlist_id,
    playlist_url: row.playlist === null ? null : webUrl(env, `/${row.owner}/sets/${row.playlist}`),
    playlist_removed: row.playlist_removed,
  };
}

const Reason = z
  .strictObject({
    code: z.string().meta(about("Stable name of the cause.", "no_audio")),
    message: z.string().meta(about("The cause in words.", "The feed names no audio file for it.")),
  })
  .meta({ id: "PodcastImportReason" });

export const ImportEpisode = z
  .strictObject({
    id: resourceId(338914811904710),
    kind: kindOf("podcast-import-episode"),
    guid: z.string().meta(about("The item's guid, which our feed keeps.", "night-trains-12")),
    title: z.string().meta(about("Title of the episode.", "The last carriage")),
    published_at: Instant.meta(
      about("First publication, RFC 3339. Our feed keeps it.", "2025-03-01T06:00:00.000Z"),
    ),
    size: Count.nullable().meta(about("Bytes of the file; null while unknown.", 48123904)),
    state: z
      .enum(EPISODE_STEPS)
      .meta(
        about("How far the import of the episode is. `left_out` and `failed` have a `reason`.", "fetching"),
      ),
    progress: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta(about("Share that is fetched or encoded, from 0 to 1; null while unknown.", 0.35)),
    reason: Reason.nullable().describe(
      "Why it is left out or failed, or why the last attempt did; null otherwise.",
    ),
    track_id: z
      .int()
      .nullable()
      .meta(about("The track; null until it is fetched, and once it was deleted.", null)),
    track_url: z
      .string()
      .nullable()
      .meta(about("The track's page; null until it is fetched, and once it was deleted.", null)),
  })
  .meta({ id: "PodcastImportEpisode" });
export type ImportEpisode = z.infer<typeof ImportEpisode>;

export const ImportEpisodes = collectionOf(ImportEpisode, "me/podcast-imports/338914811904700/episodes").meta(
  { id: "PodcastImportEpisodes" },
);

export const representImportEpisode = (links: Links, row: ImportEpisodeRow): ImportEpisode => ({
  id: row.id,
  kind: "podcast-import-episode",
  guid: row.guid,
  title: row.title,
  published_at: instant(row.published_at),
  size: row.size,
  state: row.step,
  progress: progressOf(row),
  reason: reasonOf(row),
  track_id: row.track_id,
  track_url: row.track === null ? null : webUrl(links, `/${row.owner}/${row.track}`),
});

function progressOf({ step, size, fetched, encoded }: ImportEpisodeRow): number | null {
  if (step === "done") return 1;
  if (step === "encoding") return encoded;
  if (step !== "fetching" && step !== "waiting") return null;
  if (size) return Math.min(1, fetched / size);
  return fetched === 0 ? 0 : null;
}

function reasonOf({ step, reason, encode_fault: fault }: ImportEpisodeRow) {
  if (reason) return { code: reason, message: importReason(reason) };
  return step === "failed" && fault ? { code: fault, message: reasonSentence(fault) } : null;
}

import type { Database } from "../../../db/client.ts";
import {
  acceptEpisode,
  endImport,
  failAttempt,
  type LeasedEpisode,
  leaseEpisode,
  noteProgress,
} from "../../../db/queries/import-turns.ts";
import type { Env } from "../../lib/http/env.ts";
import { describeError, logLine } from "../../lib/http/log.ts";
import { SANITIZER_VERSION } from "../../lib/text/html.ts";
import { newSecret } from "../tracks/secret.ts";
import { permalinkOf } from "../tracks/write.ts";
import { notesOf } from "./notes.ts";
import { storeChapterPictures, storeCover, storePicture } from "./pictures.ts";
import { FetchFailure } from "./public-fetch.ts";
import { LeaseLost, type StoredAudio, storeAudio } from "./store-audio.ts";
import { fetchTexts } from "./texts.ts";

/** Milliseconds after which a run begins no further episode, and breaks off a file. A consumer has 15 minutes. */
const RUN_MS = 8 * 60_000;

/** Attempts in a row without a whole part. They take half an hour. */
const MOST_ATTEMPTS = 7;
const FIRST_WAIT_S = 15;

/** Seconds that another server can make an import wait. */
const LONGEST_REST_S = 86_400;

/** Statuses that a later attempt may not meet again. */
const PASSING = [408, 425, 429];

/** Reasons that every later attempt would meet again. */
const FINAL = [
  "private_target",
  "too_large",
  "not_audio",
  "empty",
  "bad_redirect",
  "over_quota",
  "no_set",
  "past_limit",
  "already_here",
];

/**
 * Fetches episodes of an import one after another. Returns the seconds until the next run has one to fetch; null if
 * the import is over, or the cron has to resume it. A run may happen twice, break off or be lost: rows record what is
 * done.
 */
export async function runImport(db: Database, env: Env, importId: number): Promise<number | null> {
  const endMs = Date.now() + RUN_MS;
  await storeCover(db, env, importId).catch((error: unknown) =>
    logLine("warn", "podcast_cover_not_stored", { import: importId, ...describeError(error) }),
  );
  while (Date.now() < endMs) {
    const lease = crypto.randomUUID();
    const episode = await leaseEpisode(db, importId, lease);
    if (!episode) {
      const dueInS = await endImport(db, importId);
      // An episode that is due already has to wait for another run, which may be fetching from the same server.
      return dueInS !== null && dueInS > 0 ? dueInS : null;
    }
    await attempt(db, env, episode, lease, endMs);
  }
  const dueInS = await endImport(db, importId);
  return dueInS === null ? null : Math.max(0, dueInS);
}

async function attempt(
  db: Database,
  env: Env,
  episode: LeasedEpisode,
  lease: string,
  endMs: number,
): Promise<void> {
  try {
    if (episode.refused) throw new FetchFailure(episode.refused);
    const stored = await storeAudio(db, env, episode, lease, endMs);
    if (stored) await accept(db, env, episode, lease, stored);
    else await failAttempt(db, episode, lease, { reason: "interrupted", retryInS: 0, restS: null });
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (!(error instanceof FetchFailure)) throw error;
    await failAttempt(db, episode, lease, attemptAfter(error, episode.attempts));
  }
}

/** The reason to store, and when the next attempt follows. */
function attemptAfter({ reason, status, restS }: FetchFailure, attempts: number) {
  const isFinal =
    FINAL.includes(reason) || (status !== undefined && status < 500 && !PASSING.includes(status));
  const rest = restS === undefined ? null : Math.min(restS, LONGEST_REST_S);
  return {
    reason: status === undefined ? reason : `status_${status}`,
    retryInS: isFinal || attempts >= MOST_ATTEMPTS ? null : (rest ?? FIRST_WAIT_S * 2 ** (attempts - 1)),
    restS: isFinal ? null : rest,
  };
}

async function accept(
  db: Database,
  env: Env,
  episode: LeasedEpisode,
  lease: string,
  { size, type }: StoredAudio,
): Promise<void> {
  const { item, show } = episode;
  const picture =
    item.image_url && item.image_url !== show.image_url
      ? await storePicture(db, env, episode.user_id, item.image_url)
      : undefined;
  const { chapters: listed, cues } = await fetchTexts(env, item);
  const chapters =
    listed &&
    (await storeChapterPictures(db, env, episode.user_id, listed, async () => {
      if (!(await noteProgress(db, episode.id, lease, {}))) throw new LeaseLost();
    }));
  const accepted = await acceptEpisode(db, episode.id, lease, {
    size,
    filename: filenameOf(item.audio_url),
    type,
    track: {
      title: episode.title,
      description: notesOf(item.notes),
      sanitizer_version: SANITIZER_VERSION,
      ...picture,
    },
    fields: {
      explicit: item.explicit,
      season: item.season,
      number: item.number,
      episode_type: item.episode_type,
      // The file may disappear with the former host.
      transcript_url: cues ? null : item.transcript_url,
    },
    texts: { chapters, cues },
    permalink: await permalinkOf(episode.title),
    ...newSecret(env).stored,
  });
  if (accepted.outcome === "lost") return;
  if (accepted.outcome !== "done") throw new FetchFailure(accepted.outcome);
  await env.JOBS.send({ track: accepted.track, generation: 1 }).catch((error: unknown) =>
    // The reconciling cron sends it again.
    logLine("warn", "job_send_failed", { track: accepted.track, ...describeError(error) }),
  );
}

/** Returns a file name for the original, for its download. */
function filenameOf(url: string | null): string {
  const name =
    URL.parse(url ?? "")
      ?.pathname.split("/")
      .at(-1) ?? "";
  try {
    return (
      decodeURIComponent(name)
        .replace(/[^\P{Cc}]|[/\\]/gu, "")
        .slice(0, 200) || "episode.mp3"
    );
  } catch {
    return "episode.mp3";
  }
}

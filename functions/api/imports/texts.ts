import type { Item } from "../../../db/schema/podcast-imports.ts";
import type { Chapter, Cue } from "../../../db/schema/podcasts.ts";
import type { Env } from "../../lib/http/env.ts";
import { ChaptersBody } from "../podcasts/chapter-input.ts";
import { MAX_TRANSCRIPT_BYTES, utf8In } from "../podcasts/transcript-input.ts";
import { cuesIn, TranscriptFault } from "../podcasts/transcript-text.ts";
import { FetchFailure, fetchPublic, readLimited, requireStatus } from "./public-fetch.ts";

/** Milliseconds for a file. */
const TEXT_MS = 30_000;

interface Texts {
  chapters: Chapter[] | null;
  cues: Cue[] | null;
}

/**
 * Fetches an episode's chapters and transcript. Either is left out if it cannot be read, so that the audio is still
 * imported.
 */
export async function fetchTexts(env: Env, { chapters_url, transcript_url }: Item): Promise<Texts> {
  const [chapters, transcript] = await Promise.all([
    fetchText(env, chapters_url),
    fetchText(env, transcript_url),
  ]);
  return {
    chapters: chapters === null ? null : chaptersIn(chapters),
    cues: transcript === null ? null : wordsIn(transcript),
  };
}

async function fetchText(env: Env, url: string | null): Promise<string | null> {
  if (url === null) return null;
  try {
    const reply = await fetchPublic(env, url, { signal: AbortSignal.timeout(TEXT_MS) });
    await requireStatus(reply, 200);
    return utf8In(await readLimited(reply, MAX_TRANSCRIPT_BYTES)) ?? null;
  } catch (error) {
    if (error instanceof FetchFailure) return null;
    throw error;
  }
}

function chaptersIn(text: string): Chapter[] | null {
  try {
    return ChaptersBody.safeParse(JSON.parse(text)).data?.chapters ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function wordsIn(text: string): Cue[] | null {
  try {
    return cuesIn(text);
  } catch (error) {
    if (error instanceof TranscriptFault) return null;
    throw error;
  }
}

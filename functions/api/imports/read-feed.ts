import type { NewEpisode } from "../../../db/queries/podcast-imports.ts";
import type { Env } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import { sizeInWords } from "../../lib/text/size.ts";
import { MAX_UPLOAD_BYTES } from "../uploads/limits.ts";
import { type ReadEpisode, type ReadFeed, readFeed } from "./feed.ts";
import { FetchFailure, fetchPublic, readLimited, requireStatus } from "./public-fetch.ts";

/** Bytes. Ten thousand episodes with short notes. */
const MAX_FEED_BYTES = 10 * 2 ** 20;

/** Milliseconds for the whole feed, because a person waits. */
const FEED_MS = 15_000;

/** A set holds no more, and neither may an import. */
const MAX_EPISODES = 500;

const ACCEPT = "application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";

/** Reads a feed at once, or throws 422 with the reason. */
export async function fetchFeed(env: Env, url: string): Promise<ReadFeed> {
  try {
    const reply = await fetchPublic(env, url, {
      headers: { Accept: ACCEPT },
      signal: AbortSignal.timeout(FEED_MS),
    });
    await requireStatus(reply, 200);
    return readFeed(new TextDecoder(charsetOf(reply)).decode(await readLimited(reply, MAX_FEED_BYTES)));
  } catch (error) {
    if (error instanceof FetchFailure) return invalid(`podcast_import[feed_url]: ${inWords(error)}`);
    throw error;
  }
}

/** Returns the encoding that the header names, or UTF-8 if it names none that is known. */
function charsetOf(reply: Response): string {
  const [, charset = "utf-8"] = /charset="?([\w-]+)/i.exec(reply.headers.get("Content-Type") ?? "") ?? [];
  return /^(?:iso-8859-(?:1|15)|windows-125[0-9]|us-ascii)$/i.test(charset) ? charset : "utf-8";
}

function inWords({ reason, status }: FetchFailure): string {
  if (status !== undefined) return `leads to a server that replied ${status} instead of a feed`;
  return FAULTS[reason] ?? "leads to a server that cannot be reached";
}

const FAULTS: Record<string, string> = {
  private_target: "must be an address of the public web, without a password or a fragment",
  unresolved: "names a host that cannot be found",
  bad_redirect: "leads to a server that redirects in a circle, or to no address",
  timeout: "leads to a server that took longer than 15 seconds",
  too_large: `leads to more than a feed may have, which is ${sizeInWords(MAX_FEED_BYTES)} at most`,
  doctype: "leads to a feed with a document type, which is not accepted",
  not_a_feed: "is no RSS feed",
};

/** Sorts episodes newest first. Each that is not imported gets the reason. */
export function arrange(episodes: ReadEpisode[], ownHost: string): NewEpisode[] {
  const newest = episodes.toSorted((a, b) => (b.published_at ?? "").localeCompare(a.published_at ?? ""));
  const seen = new Set<string>();
  let coming = 0;
  return newest.flatMap((episode): NewEpisode[] => {
    // A repetition of an episode is not listed.
    if (seen.has(episode.guid)) return [];
    seen.add(episode.guid);
    const reason = leftOut(episode, ownHost) ?? (coming < MAX_EPISODES ? null : "past_limit");
    if (!reason) coming++;
    const host = URL.parse(episode.item.audio_url ?? "")?.host ?? null;
    // Nothing shows the notes of an episode that is left out.
    return [{ ...episode, item: reason ? {} : episode.item, position: seen.size, host, reason }];
  });
}

function leftOut({ item, size }: ReadEpisode, ownHost: string): string | undefined {
  if (item.audio_url === null) return "no_audio";
  if (item.audio_type?.startsWith("video/")) return "video";
  if (URL.parse(item.audio_url)?.host === ownHost) return "from_here";
  return size !== null && size > MAX_UPLOAD_BYTES ? "too_large" : undefined;
}

import type { EpisodeRow } from "../../../../db/queries/podcasts.ts";

const TYPES: Record<string, string> = { trailer: "Trailer", bonus: "Bonus" };

/** `Season 2 · Episode 7`, `Trailer`: as much as is known. */
export function episodeName(episode: EpisodeRow | null | undefined): string | undefined {
  if (!episode) return undefined;
  const { season, number, episode_type } = episode;
  const parts = [
    season !== null && `Season ${season}`,
    number !== null && `Episode ${number}`,
    TYPES[episode_type ?? ""],
  ];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** In a serial, earlier seasons and numbers come first, and what has none comes last. */
export const inStory = (one: EpisodeRow | null, other: EpisodeRow | null): number =>
  compare(one?.season, other?.season) || compare(one?.number, other?.number);

const compare = (one: number | null | undefined, other: number | null | undefined): number =>
  one === other ? 0 : (one ?? Number.MAX_SAFE_INTEGER) - (other ?? Number.MAX_SAFE_INTEGER);

import * as z from "zod";
import type { ApiEpisode, ApiPodcast } from "../../../db/queries/podcasts-api.ts";
import type { Env } from "../../lib/http/env.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { feedUrl } from "./addresses.ts";
import { chaptersIn } from "./chapters.ts";
import { guidOf } from "./guid.ts";

export const Podcast = z
  .strictObject({
    author: z.string().nullable(),
    owner_name: z.string().nullable(),
    owner_email: z.string().nullable(),
    category: z.string(),
    language: z.string(),
    explicit: z.boolean(),
    podcast_type: z.enum(["episodic", "serial"]),
    locked: z.boolean(),
    new_feed_url: z.string().nullable(),
    guid: z.string(),
    feed_url: z.string(),
  })
  .meta({ id: "Podcast" });

export const representPodcast = (env: Env, { podcast, set }: ApiPodcast): z.infer<typeof Podcast> => {
  const secret = set.private ? unsealBase64(env, set.secret_sealed) : undefined;
  return {
    author: podcast.author,
    owner_name: podcast.owner_name,
    owner_email: podcast.owner_email,
    category: podcast.category,
    language: podcast.language,
    explicit: podcast.explicit,
    podcast_type: podcast.podcast_type,
    locked: podcast.locked,
    new_feed_url: podcast.new_feed_url,
    guid: guidOf(podcast.guid, set.guid, feedUrl(env, { user: set.owner, set: set.permalink })),
    feed_url: feedUrl(env, { user: set.owner, set: set.permalink, secret }),
  };
};

const Chapter = z.strictObject({ start: z.number(), title: z.string() }).meta({ id: "Chapter" });

export const Episode = z
  .strictObject({
    explicit: z.boolean().nullable(),
    season: z.int().nullable(),
    number: z.int().nullable(),
    transcript_url: z.string().nullable(),
    chapters: z.array(Chapter),
  })
  .meta({ id: "Episode" });

export const representEpisode = ({ episode, track }: ApiEpisode): z.infer<typeof Episode> => ({
  explicit: episode?.explicit ?? null,
  season: episode?.season ?? null,
  number: episode?.number ?? null,
  transcript_url: episode?.transcript_url ?? null,
  chapters: chaptersIn(track.description, track.duration_ms ?? 0).map(({ startTime, title }) => ({
    start: startTime * 1000,
    title,
  })),
});

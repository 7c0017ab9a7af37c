import * as z from "zod";
import type { ApiEpisode, ApiPodcast } from "../../../db/queries/podcasts-api.ts";
import type { Env } from "../../lib/http/env.ts";
import { unsealBase64 } from "../../lib/security/sealing.ts";
import { about } from "../../lib/text/fields.ts";
import { feedUrl } from "./addresses.ts";
import { chaptersOf } from "./chapters.ts";
import { EpisodeType } from "./fields.ts";
import { guidOf } from "./guid.ts";

export const Podcast = z
  .strictObject({
    author: z
      .string()
      .nullable()
      .meta(about("Shown below the title; null means the owner's username.", "Ana Torres")),
    owner_name: z.string().nullable().meta(about("Null if the owner gave none.", "Ana Torres")),
    owner_email: z
      .string()
      .nullable()
      .meta(
        about("Everybody can read it in the feed. Null if the owner gave none.", "ana@soundpost.example"),
      ),
    category: z
      .string()
      .meta(about("One of Apple's; `>` stands before an inner one.", "Society & Culture > Documentary")),
    language: z.string().meta(about("BCP 47.", "en")),
    explicit: z.boolean().meta(about("Strong language or adult content.", false)),
    podcast_type: z
      .enum(["episodic", "serial"])
      .meta(about("`episodic`: newest first. `serial`: oldest first.", "episodic")),
    locked: z
      .boolean()
      .meta(
        about(
          "Asks other hosts not to import the podcast. Its feed says so once it has an `owner_email`.",
          true,
        ),
      ),
    new_feed_url: z
      .string()
      .nullable()
      .meta(about("Where podcast programs are redirected; null while the feed stays here.", null)),
    guid: z
      .string()
      .meta(
        about(
          "The feed's `podcast:guid`. It stays, whatever becomes of the address.",
          "917393e3-1b1e-5cef-ace4-edaa54e1f810",
        ),
      ),
    feed_url: z
      .string()
      .meta(
        about(
          "Address of the RSS feed. A private playlist's holds its secret.",
          "https://soundpost.example/ana/sets/night/feed.xml",
        ),
      ),
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
    guid: guidOf(set.guid, feedUrl(env, { user: set.owner, set: set.permalink })),
    feed_url: feedUrl(env, { user: set.owner, set: set.permalink, secret }),
  };
};

const Chapter = z
  .strictObject({
    start: z.number().meta(about("Milliseconds from the beginning.", 750000)),
    title: z.string().meta(about("Title of the chapter that begins there. May be empty.", "The guest")),
  })
  .meta({ id: "Chapter" });

export const Episode = z
  .strictObject({
    explicit: z
      .boolean()
      .nullable()
      .meta(about("Strong language or adult content; null means the same as the podcast.", null)),
    season: z.int().nullable().meta(about("Null if the owner gave none.", 1)),
    number: z.int().nullable().meta(about("Number of the episode; null if the owner gave none.", 12)),
    episode_type: EpisodeType.nullable().meta(about("Null means `full`.", "full")),
    transcript_url: z
      .string()
      .nullable()
      .meta(
        about(
          "A file elsewhere. Null if the owner gave none.",
          "https://soundpost.example/transcripts/12.vtt",
        ),
      ),
    chapters: z
      .array(Chapter)
      .describe(
        "The chapters that you sent, or else those of the description, or else those of the audio file. `/tracks/{id}/chapters` says more about each.",
      ),
  })
  .meta({ id: "Episode" });

export const representEpisode = ({ episode, track }: ApiEpisode): z.infer<typeof Episode> => ({
  explicit: episode?.explicit ?? null,
  season: episode?.season ?? null,
  number: episode?.number ?? null,
  transcript_url: episode?.transcript_url ?? null,
  episode_type: episode?.episode_type ?? null,
  chapters: chaptersOf({
    stored: track.chapters,
    description: track.description,
    durationMs: track.duration_ms ?? 0,
  }).chapters.map(({ start, title = "" }) => ({ start, title })),
});

import type { EpisodeRow, PodcastRow } from "../../../../db/queries/podcasts.ts";
import type { ArtistRole, TrackArtist } from "../../../api/tracks/artists.ts";
import { beginningOf } from "../../../lib/text/plain-text.ts";
import type { Preview } from "../../embed/preview.ts";
import { inFormat } from "../../embed/representation.ts";

/** A podcast, or an episode with the podcast that it belongs to. */
export type ShownPodcast =
  | { kind: "series"; fields: PodcastRow }
  | {
      kind: "episode";
      episode: EpisodeRow | null;
      /** Null if no podcast holds it. */
      show: { title: string; url: string } | null;
    };

/** JSON-LD of a public page in schema.org's vocabulary. The text is safe inside a `<script>`. */
export const structuredData = (shown: Preview, podcast?: ShownPodcast): string =>
  JSON.stringify({ "@context": "https://schema.org", ...describe(shown, podcast) }).replaceAll(
    "<",
    "\\u003c",
  );

function describe(shown: Preview, podcast?: ShownPodcast): object {
  const common = {
    name: shown.title,
    url: shown.permalink_url,
    image: inFormat(shown.picture, "t500x500"),
    description: beginningOf(shown.description, 1_000) || undefined,
  };
  const author = { "@type": "Person", name: shown.author.username, url: shown.author.permalink_url };
  if (shown.kind === "user") return { "@type": "ProfilePage", mainEntity: { ...author, ...common } };
  if (podcast?.kind === "series")
    return {
      "@type": "PodcastSeries",
      ...common,
      author: { ...author, name: podcast.fields.author ?? author.name },
      inLanguage: podcast.fields.language,
      isFamilyFriendly: !podcast.fields.explicit,
      webFeed: `${shown.permalink_url}/feed.xml`,
    };
  if (!shown.recording)
    return { "@type": "MusicPlaylist", ...common, creator: author, numTracks: shown.sounds };
  const { artist, artists, created_at, duration_ms, is_open, is_podcast } = shown.recording;
  const duration = duration_ms > 0 ? `PT${Math.round(duration_ms / 1000)}S` : undefined;
  const audio = is_open && {
    "@type": "AudioObject",
    contentUrl: `${shown.permalink_url}/audio.mp3`,
    encodingFormat: "audio/mpeg",
    duration,
  };
  return {
    ...(is_podcast || podcast?.show
      ? {
          "@type": "PodcastEpisode",
          author,
          ...peopleIn(artists, [...OTHERS, "main", "featured"]),
          ...partOf(podcast),
        }
      : {
          "@type": "MusicRecording",
          byArtist: byArtist(artists, artist),
          creator: author,
          ...creditsIn(artists),
        }),
    ...common,
    datePublished: new Date(created_at).toISOString(),
    duration,
    ...(audio && (is_podcast || podcast?.show ? { associatedMedia: audio } : { audio })),
  };
}

function partOf(podcast: Extract<ShownPodcast, { kind: "episode" }> | undefined): object {
  const { episode, show } = podcast ?? {};
  return {
    ...(show && { partOfSeries: { "@type": "PodcastSeries", name: show.title, url: show.url } }),
    ...(episode?.season && { partOfSeason: { "@type": "PodcastSeason", seasonNumber: episode.season } }),
    ...(episode?.number && { episodeNumber: episode.number }),
  };
}

type Artist = Pick<TrackArtist, "name" | "role" | "user">;

const agent = ({ name, user }: Artist, type: "Person" | "MusicGroup") => ({
  "@type": type,
  name,
  url: user?.permalink_url,
});

const having = (artists: Artist[], ...roles: ArtistRole[]) =>
  artists.filter(({ role }) => roles.includes(role));

/** One of a list stands alone, and an empty list is left out. */
const one = <Item>(items: Item[]) => (items.length > 1 ? items : items[0]);

const byArtist = (artists: Artist[], otherwise: string) => {
  const main = having(artists, "main").map((artist) => agent(artist, "MusicGroup"));
  const featured = having(artists, "featured").map((artist) => agent(artist, "MusicGroup"));
  return one([...(main.length ? main : [{ "@type": "MusicGroup", name: otherwise }]), ...featured]);
};

const OTHERS: ArtistRole[] = ["remixer", "performer", "arranger", "engineer", "host", "guest", "narrator"];

const people = (artists: Artist[], ...roles: ArtistRole[]) =>
  one(having(artists, ...roles).map((artist) => agent(artist, "Person")));

/** The people behind a work, by the properties that schema.org has for all works. */
const peopleIn = (artists: Artist[], others: ArtistRole[]) => ({
  producer: people(artists, "producer"),
  contributor: people(artists, ...others),
});

function creditsIn(artists: Artist[]) {
  const [composer, lyricist] = [people(artists, "composer"), people(artists, "lyricist")];
  return {
    ...peopleIn(artists, OTHERS),
    recordingOf: (composer || lyricist) && { "@type": "MusicComposition", composer, lyricist },
  };
}

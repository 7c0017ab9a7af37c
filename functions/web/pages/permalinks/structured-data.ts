import { beginningOf } from "../../../lib/text/plain-text.ts";
import type { Preview } from "../../embed/preview.ts";
import { inFormat } from "../../embed/representation.ts";

/** JSON-LD of a public page in schema.org's vocabulary. The text is safe inside a `<script>`. */
export const structuredData = (shown: Preview): string =>
  JSON.stringify({ "@context": "https://schema.org", ...describe(shown) }).replaceAll("<", "\\u003c");

function describe(shown: Preview): object {
  const common = {
    name: shown.title,
    url: shown.permalink_url,
    image: inFormat(shown.picture, "t500x500"),
    description: beginningOf(shown.description, 1_000) || undefined,
  };
  const author = { "@type": "Person", name: shown.author.username, url: shown.author.permalink_url };
  if (shown.kind === "user") return { "@type": "ProfilePage", mainEntity: { ...author, ...common } };
  if (!shown.recording)
    return { "@type": "MusicPlaylist", ...common, creator: author, numTracks: shown.sounds };
  const { artist, created_at, duration_ms, is_open, is_podcast } = shown.recording;
  const duration = duration_ms > 0 ? `PT${Math.round(duration_ms / 1000)}S` : undefined;
  const audio = is_open && {
    "@type": "AudioObject",
    contentUrl: `${shown.permalink_url}/audio.mp3`,
    encodingFormat: "audio/mpeg",
    duration,
  };
  return {
    ...(is_podcast
      ? { "@type": "PodcastEpisode", author }
      : { "@type": "MusicRecording", byArtist: { "@type": "MusicGroup", name: artist }, creator: author }),
    ...common,
    datePublished: new Date(created_at).toISOString(),
    duration,
    ...(audio && (is_podcast ? { associatedMedia: audio } : { audio })),
  };
}

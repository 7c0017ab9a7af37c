import { artistLine } from "../../../api/tracks/artists.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { Icon } from "../../../ui/icons.tsx";

interface PlayButtonProps {
  track: Pick<Track, "id" | "title" | "metadata_artist" | "artists" | "permalink_url" | "access" | "state">;
  /** The token of the private link, the track's own or its set's, that opened the page. */
  secret?: string | undefined;
}

/**
 * Plays a track in the site's player. Without script it is a link to the track's page. Pressing it enqueues
 * every button of the nearest element with `data-queue`, or else of the page's `main`, and begins here.
 *
 * The script reads `data-play` (the track's id), `data-secret`, `data-title` and `data-artist`, and fetches the
 * rest from `/you/sources/{id}`. While this track is the player's, the button has `data-plays`: `now`, or `paused`.
 */
export const PlayButton = ({ track, secret }: PlayButtonProps) => {
  const { id, title, permalink_url } = track;
  // Keeps its space, so that rows stay aligned.
  if (track.access === "blocked" || track.state === "failed") return <span class="play-button" />;
  return (
    <a
      class="play-button"
      href={secret ? `${permalink_url}/${secret}` : permalink_url}
      data-play={String(id)}
      data-secret={secret}
      data-title={title}
      data-artist={artistLine(track)}
    >
      <Icon name="play" />
      <Icon name="pause" />
      <span class="sr-only">Play {title}</span>
    </a>
  );
};

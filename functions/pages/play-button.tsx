import type { Track } from "../tracks/representation.ts";

interface PlayButtonProps {
  track: Pick<Track, "id" | "title" | "metadata_artist" | "permalink_url" | "access" | "state">;
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
  const { id, title, metadata_artist, permalink_url } = track;
  // Keeps its place, so that rows stay aligned.
  if (track.access === "blocked" || track.state === "failed") return <span class="play-button" />;
  return (
    <a
      class="play-button"
      href={secret ? `${permalink_url}/${secret}` : permalink_url}
      data-play={String(id)}
      data-secret={secret}
      data-title={title}
      data-artist={metadata_artist}
    >
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path class="icon-play" d={PLAY} fill="currentColor" />
        <path class="icon-pause" d={PAUSE} fill="currentColor" />
      </svg>
      <span class="sr-only">Play {title}</span>
    </a>
  );
};

const PLAY = "M8 5.2v13.6a1 1 0 0 0 1.5.87l11-6.8a1 1 0 0 0 0-1.74l-11-6.8A1 1 0 0 0 8 5.2z";
const PAUSE =
  "M7 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm7 0h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z";

import type { Playlist } from "../../../api/playlists/representation.ts";
import { Icon } from "../../../ui/icons.tsx";

/** Plays a set whole, from its cover. Without script it is a link to the set's page. */
export const SetPlayButton = ({ set: { id, title, permalink_url, track_count } }: { set: Playlist }) =>
  track_count > 0 ? (
    <a class="play-button" href={permalink_url} data-play-set={String(id)} data-title={title}>
      <Icon name="play" />
      <Icon name="pause" />
      <span class="sr-only">Play {title}</span>
    </a>
  ) : null;

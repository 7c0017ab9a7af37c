import type { SiteItem } from "../../db/queries/site-pages.ts";
import { clock } from "../site/words.ts";

interface TrackListProps {
  items: SiteItem[];
  /** Returns the address of the page that plays the track at this position. */
  hrefOf: (at: number) => string;
  /** The id of the current track. */
  played: number | undefined;
}

/**
 * Links each track to the page that plays it. With a script, `track-list.client.js` plays them here in turn.
 */
export const TrackList = ({ items, hrefOf, played }: TrackListProps) => (
  <ol class="track-list">
    {items.map((item, at) => (
      <li>
        <a href={hrefOf(at)} aria-current={item.id === played ? "true" : undefined}>
          <span class="listed-title">{item.title}</span>
          <span class="listed-artist">{item.artist ?? item.user.username}</span>
          <span class="listed-length">{item.duration_ms ? clock(item.duration_ms) : ""}</span>
        </a>
      </li>
    ))}
  </ol>
);

import type { SiteItem } from "../../db/queries/site-pages.ts";
import { clock } from "../site/words.ts";

interface TrackListProps {
  items: SiteItem[];
  /** The page that plays the one at this place. */
  hrefOf: (at: number) => string;
  /** Id. */
  played: number | undefined;
}

/** Without script each is a link to the page that plays it; with it, `track-list.client.js` plays them here, one after the other. */
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

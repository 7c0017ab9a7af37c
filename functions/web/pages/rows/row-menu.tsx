import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { AddToSetLink, fitsSets } from "../acts/add-to-set-link.tsx";

interface MenuProps {
  title: string;
  /** The address to share. Undefined for what is private and has no link to pass on. */
  share: string | undefined;
  /** The track that "Add to set" adds. */
  adds?: number | false;
  by: { username: string; permalink_url: string };
  /** The owner's. */
  own: { edit: string; remove: string } | false;
  reader: Pick<Reader, "userId">;
}

/**
 * "…" of a row: what one can do with it besides playing and liking. Without script it is a list of links. The script
 * (`row-menu.ts`) adds the queue and sharing when it is opened, and puts it above everything.
 */
const Menu = ({ title, share, adds, by, own, reader }: MenuProps) => (
  <details class="more" data-share={share}>
    <summary aria-label={`More: ${title}`}>
      <Icon name="more" />
    </summary>
    <ul>
      {adds && (
        <li>
          <AddToSetLink reader={reader} id={adds}>
            Add to set
          </AddToSetLink>
        </li>
      )}
      <li>
        <a href={by.permalink_url}>Go to {by.username}</a>
      </li>
      {own && (
        <>
          <li>
            <a href={own.edit}>Edit</a>
          </li>
          <li>
            <a href={own.remove}>Delete …</a>
          </li>
        </>
      )}
    </ul>
  </details>
);

interface TrackMenuProps {
  reader: Pick<Reader, "userId">;
  track: Track;
  /** The token of the private link that opened the track. */
  secret?: string | undefined;
}

export const TrackMenu = ({ reader, track, secret }: TrackMenuProps) => {
  const isOwner = reader.userId === track.user_id;
  return (
    <Menu
      reader={reader}
      title={track.title}
      share={shareOf(track, secret)}
      adds={fitsSets(reader, track, secret) && track.id}
      by={track.user}
      own={isOwner && { edit: `${track.permalink_url}/edit`, remove: `/you/tracks/${track.id}/delete` }}
    />
  );
};

interface SetMenuProps {
  reader: Pick<Reader, "userId">;
  set: Playlist;
  /** The token of the private link that opened the set. */
  secret?: string | undefined;
}

export const SetMenu = ({ reader, set, secret }: SetMenuProps) => (
  <Menu
    reader={reader}
    title={set.title}
    share={shareOf(set, secret)}
    by={set.user}
    own={
      reader.userId === set.user_id && {
        edit: `${set.permalink_url}/edit`,
        remove: `/you/sets/${set.id}/delete`,
      }
    }
  />
);

/** Only its owner and those who came by it have the link of what is private. */
function shareOf(
  { sharing, permalink_url, secret_token }: Pick<Track, "sharing" | "permalink_url" | "secret_token">,
  secret = secret_token,
): string | undefined {
  if (sharing === "public") return permalink_url;
  return secret && `${permalink_url}/${secret}`;
}

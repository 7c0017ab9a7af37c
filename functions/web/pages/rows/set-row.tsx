import type { Child } from "hono/jsx";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { clock } from "../../../ui/words.ts";
import { Cover } from "./cover.tsx";
import { Row, Tally } from "./row.tsx";
import { SetMenu } from "./row-menu.tsx";
import { SetPlayButton } from "./set-play-button.tsx";

interface SetRowProps {
  reader: Reader;
  set: Playlist;
  /** A line above the title, such as who reposted it. */
  note?: Child;
  /** A line below the owner, such as when it will be published. */
  state?: Child;
  /** Instead of the menu alone. */
  acts?: Child;
}

/** A playlist in a list. */
export const SetRow = ({
  reader,
  set,
  note,
  state,
  acts = <SetMenu reader={reader} set={set} />,
}: SetRowProps) => (
  <Row
    href={set.permalink_url}
    title={set.title}
    picture={<Cover of={set} size="row" />}
    note={note}
    badge={set.sharing === "private" ? "Private" : undefined}
    by={
      <>
        <a href={set.user.permalink_url}>{set.user.username}</a>
        {state}
      </>
    }
    facts={
      <>
        <li>{setName(set)}</li>
        <Tally
          of={set.track_count}
          one={set.is_podcast ? "episode" : "track"}
          many={set.is_podcast ? "episodes" : "tracks"}
        />
        {set.duration > 0 && <li>{clock(set.duration)}</li>}
        <Tally of={set.likes_count} one="like" many="likes" />
      </>
    }
    play={<SetPlayButton set={set} />}
    acts={acts}
  />
);

/** Common names of the types. */
const SET_NAMES: Record<string, string> = { album: "Album", "ep single": "EP" };

export const setName = ({
  is_podcast,
  playlist_type,
}: Pick<Playlist, "is_podcast" | "playlist_type">): string =>
  is_podcast ? "Podcast" : (SET_NAMES[playlist_type ?? ""] ?? "Set");

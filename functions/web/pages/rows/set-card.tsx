import type { Playlist } from "../../../api/playlists/representation.ts";
import { Card } from "./card.tsx";
import { Cover } from "./cover.tsx";
import { SetPlayButton } from "./set-play-button.tsx";
import { setName } from "./set-row.tsx";

/** A playlist in a grid. */
export const SetCard = ({ set }: { set: Playlist }) => (
  <Card
    href={set.permalink_url}
    title={set.title}
    picture={<Cover of={set} size="card" />}
    by={
      <>
        {set.sharing === "private" && "Private · "}
        {setName(set)} · <a href={set.user.permalink_url}>{set.user.username}</a>
      </>
    }
    play={<SetPlayButton set={set} />}
  />
);

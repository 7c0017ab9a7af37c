import type { ListItem } from "../../../../db/queries/site-lists.ts";
import { representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack } from "../../../api/tracks/representation.ts";
import { representUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { FollowButton } from "../acts/follow-button.tsx";
import { SetRow } from "./set-row.tsx";
import { TrackRow } from "./track-row.tsx";
import { UserRow } from "./user-row.tsx";

interface ListRowProps {
  env: Env;
  reader: Reader;
  item: ListItem;
  /** The token of the private link that opened the list. */
  secret?: string | undefined;
  /** The user on whose page the list is. */
  pageOf?: number | undefined;
  /** Its number in a record. */
  place?: number;
}

/** A row for a track, a set or a person. */
export const ListRow = ({ env, reader, item, secret, pageOf, place }: ListRowProps) => {
  if (item.track) {
    const track = representTrack(env, item.track);
    const opened = track.sharing === "private" ? secret : undefined;
    return <TrackRow env={env} reader={reader} track={track} secret={opened} place={place} pageOf={pageOf} />;
  }
  if (item.playlist) return <SetRow reader={reader} set={representPlaylist(env, item.playlist)} />;
  if (!item.user) return null;
  const user = representUser(item.user, env);
  return (
    <UserRow
      user={user}
      acts={<FollowButton env={env} reader={reader} user={user} follows={item.follows ?? false} />}
    />
  );
};

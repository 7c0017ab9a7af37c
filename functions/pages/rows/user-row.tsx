import type { Child } from "hono/jsx";
import type { User } from "../../users/representation.ts";
import { Row, Tally } from "./row.tsx";

interface UserRowProps {
  user: User;
  note?: Child;
  acts?: Child;
}

/** A person in a list. */
export const UserRow = ({ user, note, acts }: UserRowProps) => (
  <Row
    href={user.permalink_url}
    title={user.username}
    picture={user.avatar_url}
    round
    note={note}
    by={[user.full_name, [user.city, user.country].filter(Boolean).join(", ")].filter(Boolean).join(" · ")}
    facts={
      <>
        <Tally of={user.followers_count} one="follower" many="followers" />
        <Tally of={user.track_count} one="track" many="tracks" />
        <Tally of={user.playlist_count} one="set" many="sets" />
      </>
    }
    acts={acts}
  />
);

import type { Child } from "hono/jsx";
import type { User } from "../../../api/users/representation.ts";
import { Avatar } from "./avatar.tsx";
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
    picture={<Avatar of={user} size="row" />}
    note={note}
    by={nameAndPlace(user)}
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

export const nameAndPlace = ({
  full_name,
  city,
  country,
}: Pick<User, "full_name" | "city" | "country">): string =>
  [full_name, [city, country].filter(Boolean).join(", ")].filter(Boolean).join(" · ");

import type { User } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { number } from "../../../ui/words.ts";
import { FollowButton } from "../acts/follow-button.tsx";
import { Avatar } from "./avatar.tsx";
import { Card } from "./card.tsx";

/** A person as the API represents them, and whether the reader follows them. */
export interface Person {
  user: User;
  follows: boolean;
}

interface PersonCardProps extends Person {
  env: Env;
  reader: Reader;
}

/** A person in a grid. */
export const PersonCard = ({ env, reader, user, follows }: PersonCardProps) => (
  <Card
    href={user.permalink_url}
    title={user.username}
    picture={<Avatar of={user} size="card" />}
    by={`${number(user.followers_count)} ${user.followers_count === 1 ? "follower" : "followers"}`}
    acts={<FollowButton env={env} reader={reader} user={user} follows={follows} />}
  />
);

import type { MiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { FollowButton } from "../acts/follow-button.tsx";
import { Avatar } from "../rows/avatar.tsx";

interface ArtistCardProps {
  env: Env;
  reader: Reader;
  user: MiniUser;
  follows: boolean;
}

/** The artist beside a track or a set. */
export const ArtistCard = ({ env, reader, user, follows }: ArtistCardProps) => (
  <section class="artist-card" aria-label="Artist">
    <Avatar of={user} size="beside" />
    <p>
      <a href={user.permalink_url}>{user.username}</a>
    </p>
    <FollowButton env={env} reader={reader} user={user} follows={follows} />
  </section>
);

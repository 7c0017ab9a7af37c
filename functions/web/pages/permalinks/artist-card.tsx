import type { MiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { inFormat } from "../../embed/representation.ts";
import { FollowButton } from "../acts/follow-button.tsx";

interface ArtistCardProps {
  env: Env;
  reader: Reader;
  user: MiniUser;
  follows: boolean;
}

/** The artist beside a track or a set. */
export const ArtistCard = ({ env, reader, user, follows }: ArtistCardProps) => (
  <section class="artist-card" aria-label="Artist">
    <img src={inFormat(user.avatar_url, "large")} width="64" height="64" alt="" loading="lazy" />
    <p>
      <a href={user.permalink_url}>{user.username}</a>
    </p>
    <FollowButton env={env} reader={reader} user={user} follows={follows} />
  </section>
);

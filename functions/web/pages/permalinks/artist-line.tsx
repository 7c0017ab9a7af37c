import type { MiniUser } from "../../../api/users/representation.ts";
import { Apart } from "../../../ui/apart.tsx";
import { Avatar } from "../rows/avatar.tsx";

interface ArtistLineProps {
  user: MiniUser;
  /** The artist as credited, if it is another name than the user's. */
  credited?: string | undefined;
}

/** The line below a title: who made it, and whose page it is on. */
export const ArtistLine = ({ user, credited }: ArtistLineProps) => (
  <p class="artist">
    <Apart>
      {credited !== undefined && credited !== user.username && <span>{credited}</span>}
      <span class="sr-only">by</span>
      <a href={user.permalink_url}>
        <Avatar of={user} size="line" />
        {user.username}
      </a>
    </Apart>
  </p>
);

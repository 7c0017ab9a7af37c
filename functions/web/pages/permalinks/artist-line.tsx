import type { MiniUser } from "../../../api/users/representation.ts";
import { Apart } from "../../../ui/apart.tsx";
import { inFormat } from "../../embed/representation.ts";

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
        <img src={inFormat(user.avatar_url, "badge")} width="28" height="28" alt="" />
        {user.username}
      </a>
    </Apart>
  </p>
);

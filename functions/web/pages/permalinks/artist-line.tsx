import { artistLine, type TrackArtist } from "../../../api/tracks/artists.ts";
import type { MiniUser } from "../../../api/users/representation.ts";
import { Apart } from "../../../ui/apart.tsx";
import { Avatar } from "../rows/avatar.tsx";
import { CreditedArtists } from "./credits.tsx";

interface ArtistLineProps {
  user: MiniUser;
  /** The artist as credited, if it is another name than the user's. */
  credited?: string | undefined;
  /** Credited artists of a track. */
  artists?: TrackArtist[] | undefined;
}

/** The line below a title: who made it, and whose page it is on. */
export const ArtistLine = ({ user, credited, artists = [] }: ArtistLineProps) => (
  <p class="artist">
    <Apart>
      {credited !== undefined && artistLine({ metadata_artist: credited, artists }) !== user.username && (
        <CreditedArtists artists={artists} otherwise={credited} />
      )}
      <span class="sr-only">by</span>
      <a href={user.permalink_url}>
        <Avatar of={user} size="line" />
        {user.username}
      </a>
    </Apart>
  </p>
);

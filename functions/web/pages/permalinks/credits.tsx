import type { ArtistRole, TrackArtist } from "../../../api/tracks/artists.ts";

/** Roles in the order of the list, with the words before their names. */
const SAID: Partial<Record<ArtistRole, string>> = {
  remixer: "Remixed by",
  producer: "Produced by",
  composer: "Composed by",
  lyricist: "Lyrics by",
  arranger: "Arranged by",
  performer: "Performed by",
  engineer: "Engineered by",
  host: "Hosted by",
  guest: "Guest:",
  narrator: "Narrated by",
};

/** An artist's name, linked to the user who accepted. The owner's page also links users who have not answered yet. */
const ArtistName = ({ of: { name, user, state } }: { of: TrackArtist }) =>
  user && state !== "pending" && state !== "declined" ? (
    <a href={user.permalink_url}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name}</bdi>
  );

const Names = ({ of }: { of: TrackArtist[] }) => (
  <>
    {of.map((artist, at) => (
      <>
        {at > 0 && ", "}
        <ArtistName of={artist} />
      </>
    ))}
  </>
);

interface LineProps {
  artists: TrackArtist[];
  /** The artist's name as text, for a track without main artists. */
  otherwise: string;
}

/** The main and featured artists: “Ana, Ben with Cleo”. */
export const CreditedArtists = ({ artists, otherwise }: LineProps) => {
  const [main, featured] = [artists.filter(is("main")), artists.filter(is("featured"))];
  return (
    <span>
      {main.length > 0 ? <Names of={main} /> : <bdi>{otherwise}</bdi>}
      {featured.length > 0 && " with "}
      <Names of={featured} />
    </span>
  );
};

const is = (role: ArtistRole) => (artist: TrackArtist) => artist.role === role;

/** The others who made a track, by role. Renders nothing without any. */
export const Credits = ({ artists }: { artists: TrackArtist[] }) => {
  const roles = (Object.entries(SAID) as [ArtistRole, string][]).filter(([role]) => artists.some(is(role)));
  if (!roles.length) return null;
  return (
    <ul class="counts">
      {roles.map(([role, said]) => (
        <li>
          {said} <Names of={artists.filter(is(role))} />
        </li>
      ))}
    </ul>
  );
};

import type { Child } from "hono/jsx";
import { artistLine } from "../../../api/tracks/artists.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { shortened } from "../../../lib/text/plain-text.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { clock, number } from "../../../ui/words.ts";
import { ActButton } from "../acts/act-button.tsx";
import { IconWords } from "../acts/icon-words.tsx";
import { Cover } from "./cover.tsx";
import { PlayButton } from "./play-button.tsx";
import { Row, Tally } from "./row.tsx";
import { TrackMenu } from "./row-menu.tsx";

interface TrackRowProps {
  env: Env;
  reader: Reader;
  track: Track;
  /** Its place in a record. */
  place?: number | undefined;
  /** A line above the title, such as who reposted it. */
  note?: Child;
  /** The token of the private link, the track's own or its set's, that opened the page. */
  secret?: string | undefined;
  /** The user on whose page the row is, and whom it need not name. */
  pageOf?: number | undefined;
}

/** A track in a list. */
export const TrackRow = ({ env, reader, track, place, note, secret, pageOf }: TrackRowProps) => (
  <Row
    href={secret ? `${track.permalink_url}/${secret}` : track.permalink_url}
    title={track.title}
    picture={<Cover of={track} size="row" />}
    place={place}
    note={note}
    badge={badgeOf(track)}
    by={
      <>
        {track.user_id !== pageOf && <a href={track.user.permalink_url}>{track.user.username}</a>}
        {track.user_id !== pageOf && isCredited(track) && " · "}
        {isCredited(track) && <bdi>{shortened(artistLine(track), MOST_ARTIST)}</bdi>}
      </>
    }
    facts={
      <>
        <Tally of={track.playback_count} one="play" many="plays" />
        {track.duration > 0 && <li>{clock(track.duration)}</li>}
      </>
    }
    play={<PlayButton track={track} secret={secret} />}
    acts={
      <>
        <FavoriteButton env={env} reader={reader} track={track} secret={secret} />
        <TrackMenu reader={reader} track={track} secret={secret} />
      </>
    }
  />
);

/** Characters. The page of the track names all its artists; a row stays a row on a phone. */
const MOST_ARTIST = 60;

/** Whether the artist is another name than the user's. */
const isCredited = (track: Track) => artistLine(track) !== track.user.username;

function badgeOf({ sharing, state, access }: Track): string | undefined {
  if (state === "failed") return "Failed";
  if (state === "processing") return "Being encoded";
  if (sharing === "private") return "Private";
  return access === "preview" ? "Preview" : access === "blocked" ? "Not available to you" : undefined;
}

interface FavoriteButtonProps {
  env: Env;
  reader: Reader;
  track: Track;
  /** The token of the private link that opened the track. */
  secret?: string | undefined;
}

export const FavoriteButton = ({ env, reader, track, secret }: FavoriteButtonProps) => {
  const isFavorite = track.user_favorite ?? false;
  const words = isFavorite ? "Liked" : "Like";
  const count = track.favoritings_count;
  return (
    <ActButton
      env={env}
      reader={reader}
      id={track.id}
      act={isFavorite ? "unlike-track" : "like-track"}
      fields={{ secret_token: secret }}
      pressed={isFavorite}
      // People who speak to the page say what they see, so the count belongs to the name.
      label={`${words}: ${track.title}${count ? `, ${number(count)}` : ""}`}
    >
      <IconWords icon="heart" words={words} count={count} />
    </ActButton>
  );
};

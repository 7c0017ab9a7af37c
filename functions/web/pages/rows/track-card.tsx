import type { Track } from "../../../api/tracks/representation.ts";
import { Card } from "./card.tsx";
import { Cover } from "./cover.tsx";
import { PlayButton } from "./play-button.tsx";

/** A track in a grid. */
export const TrackCard = ({ track }: { track: Track }) => (
  <Card
    href={track.permalink_url}
    title={track.title}
    picture={<Cover of={track} size="card" />}
    by={<a href={track.user.permalink_url}>{track.user.username}</a>}
    play={<PlayButton track={track} />}
  />
);

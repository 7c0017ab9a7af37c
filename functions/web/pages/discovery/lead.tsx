import type { readLanding } from "../../../../db/queries/landing.ts";
import { type Playlist, representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { clock } from "../../../ui/words.ts";
import { coverColors } from "../../embed/covers.ts";
import { ArtistLine } from "../permalinks/artist-line.tsx";
import { type Sources, sourcesOf } from "../permalinks/sources.ts";
import { Counts } from "../permalinks/track-facts.tsx";
import { TrackPlayer } from "../permalinks/track-player.tsx";
import { Cover } from "../rows/cover.tsx";
import { Rows, Tally } from "../rows/row.tsx";
import { setName } from "../rows/set-row.tsx";
import { TrackRow } from "../rows/track-row.tsx";

type Found = Pick<Awaited<ReturnType<typeof readLanding>>, "track" | "set" | "entries">;

/** The release that leads the page: a set with its first tracks, or a track. */
export interface Leading {
  set?: Playlist;
  /** The track that leads, or the set's first. */
  tracks: [Track, ...Track[]];
  /** Those of a track that leads. */
  sources?: Sources;
  createdAt: string;
}

/** Renders nothing if nothing is published. */
export function leadIn(env: Env, { track, set, entries }: Found): Leading | undefined {
  if (track) {
    const sources = sourcesOf(
      env,
      { row: track, stored: null },
      { userId: null, secretHash: undefined },
      undefined,
    );
    return { tracks: [representTrack(env, track)], sources, createdAt: track.created_at };
  }
  const [first, ...others] = entries.map((row) => representTrack(env, row));
  return (
    set &&
    first && { set: representPlaylist(env, set), tracks: [first, ...others], createdAt: set.created_at }
  );
}

interface LeadProps {
  env: Env;
  lead: Leading;
  reader: Reader;
}

export const Lead = ({ env, reader, lead: { set, tracks, sources, createdAt } }: LeadProps) => {
  const [track] = tracks;
  const of = set ?? track;
  return (
    <section class={`record-head landing-lead ${coverColors(of)}`} aria-labelledby="lead-title">
      <Cover of={of} size="lead" />
      <div class="record-words">
        <p class="eyebrow">{set ? setName(set) : (track.track_type ?? "track")}</p>
        <h2 class="lead-title" id="lead-title">
          <a href={of.permalink_url}>{of.title}</a>
        </h2>
        <ArtistLine
          user={of.user}
          credited={set ? undefined : track.metadata_artist}
          artists={track.artists}
        />
        {set ? (
          <>
            <ul class="counts">
              <Tally of={set.track_count} one="track" many="tracks" />
              {set.duration > 0 && <li>{clock(set.duration)}</li>}
              <Tally of={set.likes_count} one="like" many="likes" />
            </ul>
            <PlaySet set={set} />
          </>
        ) : (
          <Counts track={track} createdAt={createdAt} />
        )}
      </div>
      {set ? (
        <div>
          <Rows label={`Tracks of ${set.title}`}>
            {tracks.map((entry, at) => (
              <TrackRow env={env} reader={reader} track={entry} place={at + 1} pageOf={set.user_id} />
            ))}
          </Rows>
        </div>
      ) : (
        sources && (
          <TrackPlayer
            sources={sources}
            secret={undefined}
            remarks={{ comments: [], authors: [] }}
            path={reader.path}
          />
        )
      )}
    </section>
  );
};

const PlaySet = ({ set }: { set: Playlist }) => (
  <p class="actions">
    <Apart>
      <a
        class="button"
        href={set.permalink_url}
        data-play-set={String(set.id)}
        data-title={set.title}
        aria-label={`Play ${set.title}`}
      >
        <Icon name="play" />
        <Icon name="pause" />
        Play
      </a>
      <a class="button quiet" href={set.permalink_url}>
        Open the {setName(set) === "EP" ? "EP" : setName(set).toLowerCase()}
      </a>
    </Apart>
  </p>
);

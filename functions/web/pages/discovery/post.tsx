import type { Feed } from "../../../api/feed/representation.ts";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { clock } from "../../../ui/words.ts";
import { Avatar } from "../rows/avatar.tsx";
import { Cover } from "../rows/cover.tsx";
import { PlayButton } from "../rows/play-button.tsx";
import { Tally } from "../rows/row.tsx";
import { SetMenu, TrackMenu } from "../rows/row-menu.tsx";
import { SetPlayButton } from "../rows/set-play-button.tsx";
import { setName } from "../rows/set-row.tsx";
import { FavoriteButton } from "../rows/track-row.tsx";

interface PostProps {
  env: Env;
  reader: Reader;
  post: Feed["collection"][number];
}

/** An entry of the feed: who brought it and when, its picture, and a track's waveform. */
export const Post = ({ env, reader, post: { origin, reposter_user, created_at } }: PostProps) => {
  const by = reposter_user ?? origin.user;
  return (
    <li class="post">
      <p class="post-note">
        <a href={by.permalink_url}>
          <Avatar of={by} size="line" />
          {by.username}
        </a>{" "}
        {reposter_user ? "reposted" : "posted"} · <Day at={created_at} near />
      </p>
      <div class="post-cover tile-cover">
        <Cover of={origin} size="card" />
        {origin.kind === "track" ? <PlayButton track={origin} /> : <SetPlayButton set={origin} />}
      </div>
      <div class="post-words">
        <p class="row-title post-title">
          <a href={origin.permalink_url}>{origin.title}</a>
        </p>
        <p class="row-by">
          {origin.kind === "playlist" && `${setName(origin)} · `}
          <a href={origin.user.permalink_url}>{origin.user.username}</a>
        </p>
        {origin.kind === "track" && origin.waveform_url && (
          <img class="post-wave" src={origin.waveform_url} width="1800" height="280" alt="" loading="lazy" />
        )}
        <div class="post-acts">
          {origin.kind === "track" ? (
            <OfTrack env={env} reader={reader} track={origin} />
          ) : (
            <OfSet reader={reader} set={origin} />
          )}
        </div>
      </div>
    </li>
  );
};

const OfTrack = ({ env, reader, track }: { env: Env; reader: Reader; track: Track }) => (
  <>
    <FavoriteButton env={env} reader={reader} track={track} />
    <TrackMenu reader={reader} track={track} />
    <ul class="post-facts">
      <Tally of={track.playback_count} one="play" many="plays" />
      {track.duration > 0 && <li>{clock(track.duration)}</li>}
    </ul>
  </>
);

const OfSet = ({ reader, set }: { reader: Reader; set: Playlist }) => (
  <>
    <SetMenu reader={reader} set={set} />
    <ul class="post-facts">
      <Tally of={set.track_count} one="track" many="tracks" />
      {set.duration > 0 && <li>{clock(set.duration)}</li>}
    </ul>
  </>
);

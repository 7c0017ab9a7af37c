import type { SiteComment } from "../../db/queries/site-pages.ts";
import { clock } from "../site/words.ts";
import { textOf } from "../text/html.ts";
import type { Track } from "../tracks/representation.ts";
import type { Streams } from "../tracks/streams.ts";

/** Milliseconds. */
const PREVIEW_MS = 30_000;

interface PlayerProps {
  track: Track;
  streams: Streams;
  /** Each is shown when playback reaches it. */
  comments?: SiteComment[];
}

/**
 * Without a script, the browser's own controls play the MP3, or HLS during the encode. `player.client.js` shows the rest and reads its
 * addresses from the `data-` attributes.
 */
export const Player = ({ track, streams, comments = [] }: PlayerProps) => {
  const mp3 = streams.http_mp3_128_url ?? streams.preview_mp3_128_url;
  const hls = streams.hls_aac_160_url;
  const isPreview = hls === undefined;
  const isGrowing = track.state === "processing";
  const durationMs = isPreview ? Math.min(track.duration, PREVIEW_MS) : track.duration;
  return (
    <section
      class="player"
      aria-label="Player"
      data-state={isGrowing ? "growing" : "finished"}
      data-hls={hls}
      data-mp3={mp3}
      data-waveform={track.waveform_url ?? undefined}
      data-duration-ms={String(durationMs)}
      data-track-ms={String(track.duration)}
      data-lufs={track.loudness?.integrated ?? undefined}
      data-title={track.title}
      data-artist={track.metadata_artist}
      data-comments={comments.length > 0 ? remarks(comments) : undefined}
    >
      {isPreview && (
        <p class="notice">You hear the first {clock(durationMs)}. The whole track is for paid plans.</p>
      )}
      <p class="notice growing" hidden={!isGrowing}>
        This track is still being encoded. You can already hear what is ready.
      </p>
      <audio controls preload="none" src={mp3 ?? hls} />
      <div class="controls" hidden>
        <button class="play" type="button" aria-label="Play">
          <Icon
            name="play"
            path="M8 5.2v13.6a1 1 0 0 0 1.5.87l11-6.8a1 1 0 0 0 0-1.74l-11-6.8A1 1 0 0 0 8 5.2z"
          />
          <Icon
            name="pause"
            path="M7 4h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm7 0h3a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z"
          />
        </button>
        <span class="elapsed">0:00</span>
        <div
          class="seek"
          role="slider"
          tabIndex={0}
          aria-label="Position"
          aria-valuemin={0}
          aria-valuemax={Math.round(durationMs / 1000)}
          aria-valuenow={0}
          aria-valuetext={`0:00 of ${clock(durationMs)}`}
        >
          <canvas />
        </div>
        <span class="total">{clock(durationMs)}</span>
        <label class="volume">
          <span class="sr-only">Volume</span>
          <Icon
            name="speaker"
            path="M4 9v6h4l5 4.5v-15L8 9H4zm12.5 3a4 4 0 0 0-2-3.5v7a4 4 0 0 0 2-3.5zm-2-8v2.1a6.2 6.2 0 0 1 0 11.8V20a8.2 8.2 0 0 0 0-16z"
          />
          <input type="range" min="0" max="1" step="0.05" value="1" />
        </label>
      </div>
      <label class="level" hidden>
        <input type="checkbox" checked />
        Even out the loudness of tracks
      </label>
      {track.waveform_url && (
        <noscript>
          <img class="waveform" src={track.waveform_url} width="1800" height="280" alt="" />
        </noscript>
      )}
      <p class="said" hidden />
      <p class="trouble" role="status" />
    </section>
  );
};

/** The JSON that `remarks.client.js` reads. */
const remarks = (comments: SiteComment[]): string =>
  JSON.stringify(
    comments.map(({ timestamp, username, body }) => ({ at: timestamp, by: username, text: textOf(body) })),
  );

const Icon = ({ name, path }: { name: string; path: string }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d={path} fill="currentColor" />
  </svg>
);

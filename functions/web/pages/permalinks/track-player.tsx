import { Icon } from "../../../ui/icons.tsx";
import { Seek } from "../../../ui/seek.tsx";
import { clock, readClock } from "../../../ui/words.ts";
import { Avatar } from "../rows/avatar.tsx";
import { NOWHERE } from "../rows/paging.tsx";
import type { Sources } from "./sources.ts";
import type { TimedComments } from "./timed-comments.ts";

interface TrackPlayerProps {
  sources: Sources;
  secret: string | undefined;
  /** Each appears at its playback position. */
  remarks: TimedComments;
  /** The path that the page was opened by, with the moment to begin at. */
  path: string;
}

/**
 * The track page's waveform, which controls the site's one player. Without a script, the browser's own controls play
 * the MP3, or HLS during the encode. Crawlers find both, and text browsers follow a link.
 */
export const TrackPlayer = ({ sources, secret, remarks, path }: TrackPlayerProps) => {
  const { id, state, hls, mp3, durationMs, waveform, isPreview } = sources;
  const moment = momentIn(path);
  return (
    <track-player
      class="player"
      role="region"
      aria-label="Waveform"
      data-id={String(id)}
      data-secret={secret}
      data-state={state}
      data-sources={JSON.stringify(sources)}
      data-comments={remarks.comments.length > 0 ? JSON.stringify(remarks.comments) : undefined}
    >
      {isPreview && (
        <p class="notice">You hear the first {clock(durationMs)}. The whole track is for paid plans.</p>
      )}
      {state === "growing" && (
        <p class="notice growing">This track is still being encoded. You can already hear what is ready.</p>
      )}
      <div class="controls" hidden>
        <button class="play" type="button" aria-label="Play">
          <Icon name="play" />
          <Icon name="pause" />
        </button>
        <span class="elapsed">0:00</span>
        <Seek name="seek" durationMs={durationMs} />
        <div class="moments" />
        <template class="moment-pictures">
          {remarks.authors.map((author) => (
            <i data-user={String(author.id)}>
              <Avatar of={author} size="line" />
            </i>
          ))}
        </template>
        <span class="total">{clock(durationMs)}</span>
      </div>
      <div class="moment-spot" />
      <p class="said" hidden />
      <noscript>
        {waveform && <img class="waveform" src={waveform} width="1800" height="280" alt="" />}
        <audio controls preload="none">
          {mp3 && <source src={mp3 + moment} type="audio/mpeg" />}
          {hls && <source src={hls + moment} type="application/vnd.apple.mpegurl" />}
          <a href={mp3 ?? hls}>Play the audio</a>
        </audio>
      </noscript>
    </track-player>
  );
};

/** A media fragment, by which the browser's own controls begin at the moment of a page's address. */
function momentIn(path: string): string {
  const ms = readClock(new URL(path, NOWHERE).searchParams.get("t") ?? "");
  return ms ? `#t=${ms / 1000}` : "";
}

import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import type { Encoding } from "../../../api/tracks/encoding.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "../acts/act-button.tsx";

/** Replaces the player. `waiting.ts` reloads the page once the state has changed. `path` is the page's own. */
export const Unplayable = ({ track, path }: { track: Track; path: string }) => {
  if (track.takedown)
    return (
      <div class="notice bad" data-state="taken-down">
        <div>
          <strong>This track was taken down</strong>
          <p>{track.takedown.reason}</p>
          <p>
            Only you can see this page. The file is kept: write to the people who run this site if you object.
          </p>
        </div>
      </div>
    );
  if (track.state === "processing")
    return (
      <waiting-part class="notice" data-state="processing" role="status">
        <span class="pulse" aria-hidden="true" />
        <div>
          <strong>Getting ready to play</strong>
          <p>The audio is being encoded. The player appears here when it is ready.</p>
          {/* Not reloaded automatically, because an unsent comment would be lost. */}
          <noscript>
            <a href={path}>Look again</a>
          </noscript>
        </div>
      </waiting-part>
    );
  if (track.state === "failed")
    return (
      <div class="notice bad" data-state="failed">
        <div>
          <strong>This track cannot be played</strong>
          <p>Its file could not be encoded.</p>
        </div>
      </div>
    );
  return (
    <div class="notice" data-state="blocked">
      <div>
        <strong>Not available to you</strong>
        <p>This track is not offered for streaming, or not in your country or on your plan.</p>
      </div>
    </div>
  );
};

interface OwnersNoticeProps {
  env: Env;
  reader: Reader;
  track: Track;
  encoding: Encoding;
  row: TrackRow;
}

/** Shows the owner why encoding failed, or the flaws of a playable file. */
export const OwnersNotice = ({ env, reader, track, encoding, row }: OwnersNoticeProps) => {
  const { reason, warnings } = encoding;
  const hasFailed = track.state === "failed";
  const said = hasFailed && reason ? [reason] : warnings;
  if (said.length === 0) return null;
  return (
    <div class="notice bad">
      <div>
        <strong>{hasFailed ? "Why this track failed" : "Something is wrong with this file"}</strong>
        {said.map(({ message }) => (
          <p>{message}</p>
        ))}
        <p>Only you can see this.</p>
        {hasFailed && (
          <div class="acts">
            <Apart>
              {row.encoding?.failure_retryable && (
                <ActButton env={env} reader={reader} id={track.id} act="retry-track">
                  Try again
                </ActButton>
              )}
              <a class="act" href={`/you/tracks/${track.id}/delete`}>
                Delete this track …
              </a>
            </Apart>
          </div>
        )}
      </div>
    </div>
  );
};

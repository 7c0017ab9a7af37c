import { ORIGINAL_KEPT_DAYS } from "../../../../db/queries/originals.ts";
import type { TrackRow } from "../../../../db/queries/track-rows.ts";
import type { Encoding } from "../../../api/tracks/encoding.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "../acts/act-button.tsx";

interface UnplayableProps {
  env: Env;
  reader: Reader;
  track: Track;
  row: TrackRow;
}

/** Replaces the player. `waiting.ts` reloads the page once the state has changed. */
export const Unplayable = ({ env, reader, track, row }: UnplayableProps) => {
  if (track.takedown)
    return (
      <div class="notice bad" data-state="taken-down">
        <div>
          <strong>This track was taken down</strong>
          <p>{track.takedown.reason}</p>
          <p>
            Only you can see this page. The file is kept. <a href="/you/removals">Answer, if you object</a>
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
            <a href={reader.path}>Look again</a>
          </noscript>
        </div>
      </waiting-part>
    );
  if (track.state === "failed") return <Failed env={env} reader={reader} track={track} row={row} />;
  return (
    <div class="notice" data-state="blocked">
      <div>
        <strong>Not available to you</strong>
        <p>This track is not offered for streaming, or not in your country or on your plan.</p>
      </div>
    </div>
  );
};

/** Tells the owner why, and what can be done. */
const Failed = ({ env, reader, track, row }: UnplayableProps) => {
  const { reason } = track.encoding ?? {};
  const isRetryable = row.encoding?.failure_retryable;
  return (
    <div class="notice bad" data-state="failed">
      <div>
        <strong>This track cannot be played</strong>
        <p>{reason?.message ?? "Its file could not be encoded."}</p>
        {reason && <p>Only you can see why.</p>}
        {reason && isRetryable && <p>Your file is kept for {ORIGINAL_KEPT_DAYS} days.</p>}
        {reason && (
          <div class="acts">
            <Apart>
              {isRetryable && (
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

/** Shows the owner the flaws of a playable file. */
export const Flaws = ({ warnings }: Pick<Encoding, "warnings">) =>
  warnings.length === 0 ? null : (
    <div class="notice bad">
      <div>
        <strong>Something is wrong with this file</strong>
        {warnings.map(({ message }) => (
          <p>{message}</p>
        ))}
        <p>Only you can see this.</p>
      </div>
    </div>
  );

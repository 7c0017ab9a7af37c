import { ORIGINAL_KEPT_DAYS } from "../../../../db/queries/originals.ts";
import { mayRetry } from "../../../api/tracks/failures.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "../acts/act-button.tsx";

/** Shows the owner a track's progress, failure or faulty file. Renders nothing if all is well. */
export const TrackState = ({ env, reader, track }: { env: Env; reader: Reader; track: Track }) => {
  const { state, encoding, id, title } = track;
  if (state === "processing") return <Progress done={encoding?.progress ?? 0} />;
  const reason = encoding?.reason;
  if (state === "failed")
    return (
      <div class="own-state bad" data-state="failed">
        <p>
          <strong>Failed.</strong> {reason?.message ?? "Encoding failed."}
        </p>
        {reason && mayRetry(reason.code) ? (
          <>
            <p>Your file is kept for {ORIGINAL_KEPT_DAYS} days.</p>
            <ActButton env={env} reader={reader} id={id} act="retry-track" label={`Retry ${title}`}>
              Retry
            </ActButton>
          </>
        ) : (
          <p>Delete the track and upload another file.</p>
        )}
      </div>
    );
  if (!encoding?.warnings.length) return null;
  return (
    <div class="own-state" data-state="warned">
      {encoding.warnings.map(({ message }) => (
        <p>{message}</p>
      ))}
    </div>
  );
};

const Progress = ({ done }: { done: number }) => {
  const percent = Math.floor(done * 100);
  return (
    <div class="own-state" data-state="processing">
      <progress max={100} value={percent} aria-label="Encoding" />
      <p>{percent === 0 ? "Waiting to be encoded" : `Encoding: ${percent}%`}</p>
    </div>
  );
};

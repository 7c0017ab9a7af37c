import type { ShownTrack } from "../../../../db/queries/moderation-tracks.ts";
import { reasonSentence } from "../../../api/tracks/failures.ts";
import { minute } from "./words.ts";

/** Describes how far the encode of a track is. */
export function encodeFacts(track: ShownTrack): [string, string][] {
  const { encode_state: state, failure, failure_detail: detail } = track;
  if (state === null) return [];
  const failed = failure && `${reasonSentence(failure)} ${[failure, detail].filter(Boolean).join(", ")}`;
  return [
    ["Encode", `${stateOf(track)}, attempt ${track.encode_attempts}`],
    ...(track.transcoder ? [["Transcoder", transcoderOf(track)] as [string, string]] : []),
    ...(failed ? [[state === "failed" ? "Failed for" : "Last failure", failed] as [string, string]] : []),
  ];
}

function stateOf({ encode_state, queue_place, due_at, progress }: ShownTrack): string {
  if (encode_state === "queued")
    return `number ${queue_place} in the queue, ${due_at === null ? "held" : `due ${minute(due_at)}`}`;
  if (encode_state === "leased") return `running, ${Math.floor((progress ?? 0) * 100)} %`;
  return encode_state ?? "";
}

function transcoderOf({ transcoder, reported_at, transcoder_seen_at }: ShownTrack): string {
  const said = [
    reported_at && `reported this job ${minute(reported_at)}`,
    transcoder_seen_at && `last answered ${minute(transcoder_seen_at)}`,
  ].filter(Boolean);
  return [transcoder, ...said].join(", ");
}

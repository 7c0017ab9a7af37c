import type { Settings } from "../../db/queries/settings.ts";
import { lengthInWords, QUOTA_IN_WORDS } from "../text/quota.ts";
import { sizeInWords } from "../text/size.ts";

const INCLUDES: Record<string, string> = {
  free: "It includes everything but apps of your own.",
  artist: "You can register apps of your own.",
  "artist-pro": "You can register apps of your own.",
};

/** Names the plan and what it includes, and says how much of its limits is used. */
export const Plan = ({ settings: { user, quota } }: { settings: Settings }) => {
  const used = usedOf(quota);
  return (
    <>
      <p>
        You are on the plan <strong>{user.plan}</strong>. {INCLUDES[user.plan] ?? ""}
      </p>
      {used.length > 0 && <p>You have used {new Intl.ListFormat("en").format(used)}.</p>}
    </>
  );
};

function usedOf({
  tracks,
  seconds,
  bytes,
  tracks_used,
  seconds_used,
  bytes_used,
}: Settings["quota"]): string[] {
  return [
    ...(tracks === null ? [] : [`${tracks_used} of ${QUOTA_IN_WORDS.tracks(tracks)}`]),
    ...(seconds === null ? [] : [`${lengthInWords(seconds_used)} of ${QUOTA_IN_WORDS.seconds(seconds)}`]),
    ...(bytes === null ? [] : [`${sizeInWords(bytes_used)} of ${QUOTA_IN_WORDS.bytes(bytes)}`]),
  ];
}

import type { Settings } from "../../../db/queries/settings.ts";
import { appsNeedPlan } from "../../api/apps/registration.ts";
import type { Env } from "../../lib/http/env.ts";
import { lengthInWords, QUOTA_IN_WORDS } from "../../lib/text/quota.ts";
import { sizeInWords } from "../../lib/text/size.ts";

interface Props {
  env: Env;
  settings: Settings;
}

/** Names the plan, what it includes and how much of its limits is used. */
export const Plan = ({ env, settings: { user, quota, stored } }: Props) => {
  const used = usedOf(quota);
  return (
    <>
      <p>
        You are on the plan <strong>{user.plan}</strong>.{" "}
        {appsNeedPlan(env) && user.plan === "free"
          ? "It includes everything but apps of your own."
          : "You can register apps of your own."}
      </p>
      {used.length > 0 && <p>You have used {list(used)}.</p>}
      <p>
        Your files take {sizeInWords(stored.originals + stored.encodes + stored.pictures)}:{" "}
        {list([
          `${sizeInWords(stored.originals)} as you sent them`,
          `${sizeInWords(stored.encodes)} encoded for players`,
          `${sizeInWords(stored.pictures)} of pictures`,
        ])}
        .
      </p>
    </>
  );
};

const list = (words: string[]) => new Intl.ListFormat("en").format(words);

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

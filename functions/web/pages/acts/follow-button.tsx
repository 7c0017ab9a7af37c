import type { MiniUser } from "../../../api/users/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "./act-button.tsx";

interface FollowButtonProps {
  env: Env;
  reader: Reader;
  user: Pick<MiniUser, "id" | "username">;
  follows: boolean;
}

/** Renders nothing on the reader's own row. */
export const FollowButton = ({ env, reader, user: { id, username }, follows }: FollowButtonProps) =>
  reader.userId === id ? null : (
    <ActButton
      env={env}
      reader={reader}
      id={id}
      act={follows ? "unfollow" : "follow"}
      pressed={follows}
      label={`${follows ? "Following" : "Follow"} ${username}`}
    >
      {follows ? "Following" : "Follow"}
    </ActButton>
  );

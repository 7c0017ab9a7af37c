import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "./act-button.tsx";

interface LikeAndRepostProps {
  env: Env;
  reader: Reader;
  of: "track" | "playlist";
  id: number;
  fields: Record<string, string | undefined>;
  around: Pick<Around, "likes" | "reposts">;
}

/** Two buttons: each adds to the reader's favorites or reposts, or takes that back. */
export const LikeAndRepost = ({ of, around: { likes, reposts }, ...button }: LikeAndRepostProps) => (
  <>
    <ActButton {...button} act={`${likes ? "unlike" : "like"}-${of}`} pressed={likes}>
      {likes ? "Liked" : "Like"}
    </ActButton>
    <ActButton {...button} act={`${reposts ? "unrepost" : "repost"}-${of}`} pressed={reposts}>
      {reposts ? "Reposted" : "Repost"}
    </ActButton>
  </>
);

import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "./act-button.tsx";
import { IconWords } from "./icon-words.tsx";

interface FavoriteAndRepostProps {
  env: Env;
  reader: Reader;
  of: "track" | "playlist";
  id: number;
  fields: Record<string, string | undefined>;
  around: Pick<Around, "favors" | "reposts">;
  /** Null where the owner hides them. */
  likes: number | null;
  repostings: number | null;
}

/** Two buttons, which add to the reader's favorites and reposts, or remove from them. */
export const FavoriteAndRepost = ({
  of,
  around: { favors, reposts },
  likes,
  repostings,
  ...button
}: FavoriteAndRepostProps) => (
  <Apart>
    <ActButton {...button} act={`${favors ? "unlike" : "like"}-${of}`} pressed={favors}>
      <IconWords icon="heart" words={favors ? "Liked" : "Like"} count={likes} />
    </ActButton>
    <ActButton {...button} act={`${reposts ? "unrepost" : "repost"}-${of}`} pressed={reposts}>
      <IconWords icon="repost" words={reposts ? "Reposted" : "Repost"} count={repostings} />
    </ActButton>
  </Apart>
);

import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "./act-button.tsx";

interface FavoriteAndRepostProps {
  env: Env;
  reader: Reader;
  of: "track" | "playlist";
  id: number;
  fields: Record<string, string | undefined>;
  around: Pick<Around, "favors" | "reposts">;
}

/** Two buttons, which add to the reader's favorites and reposts, or remove from them. */
export const FavoriteAndRepost = ({ of, around: { favors, reposts }, ...button }: FavoriteAndRepostProps) => (
  <Apart>
    <ActButton {...button} act={`${favors ? "unlike" : "like"}-${of}`} pressed={favors}>
      {favors ? "Liked" : "Like"}
    </ActButton>
    <ActButton {...button} act={`${reposts ? "unrepost" : "repost"}-${of}`} pressed={reposts}>
      {reposts ? "Reposted" : "Repost"}
    </ActButton>
  </Apart>
);

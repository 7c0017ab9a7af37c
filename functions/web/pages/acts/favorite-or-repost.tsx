import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { ActButton } from "./act-button.tsx";

interface FavoriteOrRepostProps {
  env: Env;
  reader: Reader;
  act: "like" | "repost";
  of: "track" | "playlist";
  id: number;
  fields: Record<string, string | undefined>;
  on: boolean;
}

const NAMES = { like: ["Like", "Liked"], repost: ["Repost", "Reposted"] } as const;

/** Adds to the reader's favorites or reposts, or takes that back. */
export const FavoriteOrRepost = ({ env, reader, act, of, id, fields, on }: FavoriteOrRepostProps) => (
  <ActButton
    env={env}
    reader={reader}
    id={id}
    fields={fields}
    act={`${on ? "un" : ""}${act}-${of}`}
    pressed={on}
  >
    {NAMES[act][on ? 1 : 0]}
  </ActButton>
);

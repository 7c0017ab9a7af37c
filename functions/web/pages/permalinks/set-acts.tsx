import type { Child } from "hono/jsx";
import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { PlaylistRow } from "../../../../db/queries/playlists.ts";
import type { Playlist } from "../../../api/playlists/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import type { Preview } from "../../embed/preview.ts";
import { FavoriteAndRepost } from "../acts/favorite-and-repost.tsx";
import { IconWords } from "../acts/icon-words.tsx";
import { SetMenu } from "../rows/row-menu.tsx";
import { Share } from "./share.tsx";
import { Buy } from "./track-facts.tsx";

/** The page of a set, of whatever kind. */
export interface SetPageProps {
  env: Env;
  row: PlaylistRow;
  shown: Preview;
  around: Around;
  /** The secret token that opened a private set. */
  secret: string | undefined;
  reader: Reader;
}

interface SetActsProps extends SetPageProps {
  set: Playlist;
  /** The button that plays. */
  children: Child;
}

/** The row of acts. */
export const SetActs = ({ env, row, shown, around, secret, reader, set, children }: SetActsProps) => (
  <div class="acts">
    <Apart>
      {children}
      <FavoriteAndRepost
        env={env}
        reader={reader}
        of="playlist"
        id={set.id}
        fields={{ secret_token: secret }}
        around={around}
        likes={set.likes_count}
        repostings={set.reposts_count}
      />
      <Share
        env={env}
        shown={shown}
        secret={secret ?? set.secret_token}
        isRemoved={row.taken_down_at !== null}
      />
      <Buy of={set} />
      {reader.userId === set.user_id && (
        <Apart>
          <a class="act" href={`${set.permalink_url}/edit`}>
            <IconWords icon="edit" words="Edit" />
          </a>
          <a class="act" href={`/you/insights/sets/${set.id}`}>
            <IconWords icon="insights" words="Insights" />
          </a>
        </Apart>
      )}
      <SetMenu reader={reader} set={set} secret={secret} />
    </Apart>
  </div>
);

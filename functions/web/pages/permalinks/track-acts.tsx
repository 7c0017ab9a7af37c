import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import { secretQuery } from "../../../api/tracks/secret.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import type { Preview } from "../../embed/preview.ts";
import { AddToSetLink, fitsSets } from "../acts/add-to-set-link.tsx";
import { FavoriteAndRepost } from "../acts/favorite-and-repost.tsx";
import { IconWords } from "../acts/icon-words.tsx";
import { Share } from "./share.tsx";
import { Buy } from "./track-facts.tsx";

interface TrackActsProps {
  env: Env;
  reader: Reader;
  track: Track;
  shown: Preview;
  around: Around;
  /** The secret token that opened a private track. */
  secret: string | undefined;
}

/** All of a reader's actions on a track. */
export const TrackActs = ({ env, reader, track, shown, around, secret }: TrackActsProps) => {
  const { id } = track;
  const isOwner = reader.userId === track.user_id;
  const fields = { secret_token: secret };
  return (
    <div class="acts">
      <Apart>
        <FavoriteAndRepost
          env={env}
          reader={reader}
          of="track"
          id={id}
          fields={fields}
          around={around}
          likes={track.favoritings_count}
          repostings={track.reposts_count}
        />
        {fitsSets(reader, track, secret) && (
          <AddToSetLink class="act" reader={reader} id={id}>
            <IconWords icon="add" words="Add to set" />
          </AddToSetLink>
        )}
        {(track.download_url || (isOwner && !track.takedown && !track.original_deleted_at)) && (
          <a class="act" href={downloadPath(id, secret)} data-turbo="false">
            <IconWords icon="download" words="Download" />
          </a>
        )}
        <Buy of={track} />
        {isOwner && (
          <Apart>
            <a class="act" href={`${track.permalink_url}/edit`}>
              <IconWords icon="edit" words="Edit" />
            </a>
            <a class="act" href={`/you/insights/tracks/${id}`}>
              <IconWords icon="insights" words="Insights" />
            </a>
          </Apart>
        )}
        <Share
          env={env}
          shown={shown}
          secret={secret ?? track.secret_token}
          isRemoved={track.takedown !== undefined}
          hasMoments
        />
      </Apart>
    </div>
  );
};

const downloadPath = (id: number, secret: string | undefined): string =>
  `/you/download/${id}${secretQuery(secret)}`;

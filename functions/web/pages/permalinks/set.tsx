import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { PlaylistRow } from "../../../../db/queries/playlists.ts";
import { type Playlist, representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { isPlayable } from "../../../api/tracks/streams.ts";
import type { Env } from "../../../lib/http/env.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Page } from "../../../ui/layout.tsx";
import { siteName } from "../../../ui/name.ts";
import { clock } from "../../../ui/words.ts";
import { coverColors } from "../../embed/covers.ts";
import type { Preview } from "../../embed/preview.ts";
import { FavoriteAndRepost } from "../acts/favorite-and-repost.tsx";
import { IconWords } from "../acts/icon-words.tsx";
import { ListRow } from "../rows/list-row.tsx";
import { Rows } from "../rows/row.tsx";
import { SetMenu } from "../rows/row-menu.tsx";
import { ScheduledNotice } from "../rows/scheduled.tsx";
import { setName } from "../rows/set-row.tsx";
import { ArtistCard } from "./artist-card.tsx";
import { ArtistLine } from "./artist-line.tsx";
import { Description } from "./description.tsx";
import { SiteHead, titleOf } from "./head.tsx";
import { Heading } from "./heading.tsx";
import { Share } from "./share.tsx";
import { Buy, Count, SetFacts, Tags } from "./track-facts.tsx";

export interface SetPageProps {
  env: Env;
  row: PlaylistRow;
  shown: Preview;
  around: Around;
  /** The secret token that opened a private set. */
  secret: string | undefined;
  reader: Reader;
}

export const SetPage = ({ env, row, shown, around, secret, reader }: SetPageProps) => {
  const set = representPlaylist(env, row);
  const { id, user } = set;
  const fields = { secret_token: secret };
  const isOwn = reader.userId === set.user_id;
  const opened = secret ?? set.secret_token;
  const items = around.list?.items ?? [];
  const first = items.flatMap(({ track }) => track ?? []).find(isPlayable);
  return (
    <Page
      env={env}
      reader={reader}
      title={`${titleOf(shown)} · ${siteName(env)}`}
      head={<SiteHead env={env} shown={shown} secret={secret} />}
    >
      <article class={`record ${coverColors(set)}`}>
        <Heading
          of={set}
          title={set.title}
          eyebrow={
            <>
              {setName(set)}
              {shown.private && <span class="badge">Private</span>}
            </>
          }
        >
          <ArtistLine user={user} />
          <ul class="counts">
            <Count of={set.track_count} one="track" many="tracks" />
            {set.duration > 0 && <li>{clock(set.duration)}</li>}
          </ul>
          <div class="acts">
            <Apart>
              {first && <PlaySet set={set} secret={secret} first={representTrack(env, first)} />}
              <FavoriteAndRepost
                env={env}
                reader={reader}
                of="playlist"
                id={id}
                fields={fields}
                around={around}
                likes={set.likes_count}
                repostings={set.reposts_count}
              />
              <Share env={env} shown={shown} secret={opened} />
              <Buy of={set} />
              {isOwn && (
                <Apart>
                  <a class="act" href={`${set.permalink_url}/edit`}>
                    <IconWords icon="edit" words="Edit" />
                  </a>
                  <a class="act" href={`/you/insights/sets/${id}`}>
                    <IconWords icon="insights" words="Insights" />
                  </a>
                </Apart>
              )}
              <SetMenu reader={reader} set={set} secret={secret} />
            </Apart>
          </div>
        </Heading>
        <ScheduledNotice at={set.publish_at} />
        <div class="with-side">
          <div>
            {items.length > 0 ? (
              <Rows label="Tracks" isNumbered>
                {items.map((item, at) => (
                  <ListRow
                    env={env}
                    reader={reader}
                    item={item}
                    secret={opened}
                    place={at + 1}
                    pageOf={user.id}
                  />
                ))}
              </Rows>
            ) : isOwn ? (
              <div class="empty">
                <p>Nothing is in this set yet. “Add to set” beside any track adds it here.</p>
                <a class="button quiet" href="/discover">
                  Find tracks
                </a>
              </div>
            ) : (
              <p class="soft">There are no tracks here yet.</p>
            )}
          </div>
          <aside class="side" aria-label="About this set">
            <ArtistCard env={env} reader={reader} user={user} follows={around.follows} />
            {set.description && <Description html={set.description} targets={{ siteUrl: env.WEB_URL }} />}
            <Tags list={set.tag_list} />
            <SetFacts set={set} />
          </aside>
        </div>
      </article>
    </Page>
  );
};

interface PlaySetProps {
  set: Playlist;
  /** The token of the private link that opened the set. */
  secret: string | undefined;
  first: Track;
}

/** Plays the set, or mixes it. Without script, "Play" leads to its first track, and there is no mixing. */
const PlaySet = ({ set: { id, title }, secret, first }: PlaySetProps) => {
  const { sharing, permalink_url } = first;
  const plays = {
    href: secret && sharing === "private" ? `${permalink_url}/${secret}` : permalink_url,
    "data-play-set": String(id),
    "data-secret": secret,
    "data-title": title,
  };
  return (
    <Apart>
      <a class="button play-set" {...plays}>
        <Icon name="play" />
        <Icon name="pause" />
        <span class="play-words">Play</span>
        <span class="pause-words">Pause</span>
      </a>
      <a class="act" {...plays} data-shuffle>
        <IconWords icon="shuffle" words="Shuffle" />
      </a>
    </Apart>
  );
};

import { type Playlist, representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { isPlayable } from "../../../api/tracks/streams.ts";
import { Apart } from "../../../ui/apart.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Page } from "../../../ui/layout.tsx";
import { siteName } from "../../../ui/name.ts";
import { clock } from "../../../ui/words.ts";
import { coverColors } from "../../embed/covers.ts";
import { IconWords } from "../acts/icon-words.tsx";
import { ListRow } from "../rows/list-row.tsx";
import { Nothing } from "../rows/nothing.tsx";
import { Rows } from "../rows/row.tsx";
import { setName } from "../rows/set-row.tsx";
import { ArtistCard } from "./artist-card.tsx";
import { ArtistLine } from "./artist-line.tsx";
import { SiteHead, titleOf } from "./head.tsx";
import { Heading } from "./heading.tsx";
import { SanitizedText } from "./sanitized-text.tsx";
import { SetActs, type SetPageProps } from "./set-acts.tsx";
import { SetNotices } from "./set-notices.tsx";
import { Count, SetFacts, Tags } from "./track-facts.tsx";

export const SetPage = (page: SetPageProps) => {
  const { env, row, shown, around, secret, reader } = page;
  const set = representPlaylist(env, row);
  const { user } = set;
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
          <SetActs {...page} set={set}>
            {first && <PlaySet set={set} secret={secret} first={representTrack(env, first)} />}
          </SetActs>
        </Heading>
        <SetNotices row={row} publishAt={set.publish_at} />
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
              <Nothing step={[`${set.permalink_url}/edit#picker`, "Add tracks"]}>
                Nothing is in this set yet. “Add to set” beside any track adds it here, too.
              </Nothing>
            ) : (
              <p class="soft">There are no tracks here yet.</p>
            )}
          </div>
          <aside class="side" aria-label="About this set">
            <ArtistCard env={env} reader={reader} user={user} follows={around.follows} />
            {set.description && (
              <SanitizedText class="description" html={set.description} targets={{ siteUrl: env.WEB_URL }} />
            )}
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

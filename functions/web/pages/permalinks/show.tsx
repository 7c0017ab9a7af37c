import type { ListedEpisode } from "../../../../db/queries/podcast-pages.ts";
import type { PodcastRow } from "../../../../db/queries/podcasts.ts";
import { representPlaylist } from "../../../api/playlists/representation.ts";
import { representTrack, type Track } from "../../../api/tracks/representation.ts";
import { isPlayable } from "../../../api/tracks/streams.ts";
import { Icon } from "../../../ui/icons.tsx";
import { Page } from "../../../ui/layout.tsx";
import { siteName } from "../../../ui/name.ts";
import { coverColors } from "../../embed/covers.ts";
import { Nothing } from "../rows/nothing.tsx";
import { ArtistCard } from "./artist-card.tsx";
import { ArtistLine } from "./artist-line.tsx";
import { inStory } from "./episode-words.ts";
import { feedOf, SiteHead, titleOf } from "./head.tsx";
import { Heading } from "./heading.tsx";
import { SanitizedText } from "./sanitized-text.tsx";
import { SetActs, type SetPageProps } from "./set-acts.tsx";
import { SetNotices } from "./set-notices.tsx";
import { ShowEpisode } from "./show-episode.tsx";
import { Subscribe } from "./subscribe.tsx";
import { Count, SetFacts, Tags } from "./track-facts.tsx";

interface ShowPageProps extends SetPageProps {
  podcast: { fields: PodcastRow; episodes: ListedEpisode[] };
}

/** The page of a set that its owner offers as a podcast. */
export const ShowPage = ({ podcast, ...page }: ShowPageProps) => {
  const { env, row, shown, around, secret, reader } = page;
  const set = representPlaylist(env, row);
  const { user } = set;
  const { fields } = podcast;
  const isOwn = reader.userId === set.user_id;
  const opened = secret ?? set.secret_token;
  const tracks = new Map(around.list?.items.flatMap(({ track }) => (track ? [[track.id, track]] : [])));
  const listed = inOrder(podcast).flatMap((episode) => {
    const track = tracks.get(episode.id);
    return track ? [{ episode, track }] : [];
  });
  const first = listed.find(({ track }) => isPlayable(track))?.track;
  const feed = feedOf(shown, opened);
  return (
    <Page
      env={env}
      reader={reader}
      title={`${titleOf(shown)} · ${siteName(env)}`}
      styles={["podcast.css"]}
      head={<SiteHead env={env} shown={shown} secret={secret} podcast={{ kind: "series", fields }} />}
    >
      <article class={`record ${coverColors(set)}`}>
        <Heading
          of={set}
          title={set.title}
          eyebrow={
            <>
              Podcast
              {shown.private && <span class="badge">Private</span>}
              {fields.explicit && <span class="badge">Explicit</span>}
            </>
          }
        >
          <ArtistLine user={user} credited={fields.author ?? undefined} />
          <ul class="counts">
            <Count of={listed.length} one="episode" many="episodes" />
            <li>{fields.category.replace(">", "›")}</li>
          </ul>
          <SetActs {...page} set={set}>
            {first && <PlayFirst track={representTrack(env, first)} secret={opened} />}
          </SetActs>
          {feed && row.taken_down_at === null && (
            <Subscribe feed={feed} title={set.title} isPrivate={shown.private} />
          )}
        </Heading>
        <SetNotices row={row} publishAt={set.publish_at} />
        <div class="with-side">
          <section aria-labelledby="episodes-heading">
            <h2 id="episodes-heading">Episodes</h2>
            {listed.length > 0 ? (
              <ol class="episodes" data-queue>
                {listed.map(({ episode, track }) => (
                  <ShowEpisode
                    env={env}
                    reader={reader}
                    track={representTrack(env, track)}
                    listed={episode}
                    isExplicit={fields.explicit}
                    secret={opened}
                  />
                ))}
              </ol>
            ) : isOwn ? (
              <Nothing step={[`${set.permalink_url}/edit#picker`, "Add episodes"]}>
                There are no episodes yet. Each track that you add is one.
              </Nothing>
            ) : (
              <p class="soft">There are no episodes yet.</p>
            )}
          </section>
          <aside class="side" aria-label="About this podcast">
            {set.description && (
              <SanitizedText class="description" html={set.description} targets={{ siteUrl: env.WEB_URL }} />
            )}
            <ArtistCard env={env} reader={reader} user={user} follows={around.follows} />
            <Tags list={set.tag_list} />
            {isOwn && <a href={`${set.permalink_url}/podcast`}>Podcast settings</a>}
            <SetFacts set={set} />
          </aside>
        </div>
      </article>
    </Page>
  );
};

/** Newest first; a serial by season and number, and the oldest first among what has none. */
const inOrder = ({ fields, episodes }: ShowPageProps["podcast"]): ListedEpisode[] =>
  fields.podcast_type === "serial"
    ? episodes.toReversed().sort((one, other) => inStory(one.episode, other.episode))
    : episodes;

interface PlayFirstProps {
  track: Track;
  secret: string | undefined;
}

/** Plays the page's episodes from the first one that plays. Without script it leads there. */
const PlayFirst = ({ track, secret }: PlayFirstProps) => {
  const opened = track.sharing === "private" ? secret : undefined;
  return (
    <a
      class="button play-set"
      href={opened ? `${track.permalink_url}/${opened}` : track.permalink_url}
      data-play={String(track.id)}
      data-secret={opened}
      data-title={track.title}
      data-artist={track.metadata_artist}
    >
      <Icon name="play" />
      <Icon name="pause" />
      <span class="play-words">Play</span>
      <span class="pause-words">Pause</span>
    </a>
  );
};

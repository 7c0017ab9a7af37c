import type { Around } from "../../../../db/queries/permalink-pages.ts";
import type { PlaylistRow } from "../../../../db/queries/playlists.ts";
import type { SiteComment } from "../../../../db/queries/site-pages.ts";
import type { TrackRow as Row } from "../../../../db/queries/track-rows.ts";
import { representPlaylist } from "../../../api/playlists/representation.ts";
import { artistLine } from "../../../api/tracks/artists.ts";
import { representTrack } from "../../../api/tracks/representation.ts";
import { secretHashOf } from "../../../api/tracks/secret.ts";
import { isPlayable } from "../../../api/tracks/streams.ts";
import type { Env } from "../../../lib/http/env.ts";
import type { Reader } from "../../../ui/bar.tsx";
import type { FormState } from "../../../ui/form.tsx";
import { Page } from "../../../ui/layout.tsx";
import { siteName } from "../../../ui/name.ts";
import { SITE_VISITOR } from "../../../ui/viewer.ts";
import { coverColors } from "../../embed/covers.ts";
import type { Preview } from "../../embed/preview.ts";
import { momentPath } from "../rows/paging.tsx";
import { Rows } from "../rows/row.tsx";
import { ScheduledNotice } from "../rows/scheduled.tsx";
import { SetRow } from "../rows/set-row.tsx";
import { TrackRow } from "../rows/track-row.tsx";
import { ArtistCard } from "./artist-card.tsx";
import { ArtistLine } from "./artist-line.tsx";
import { Comments, holds } from "./comments.tsx";
import { Composer } from "./composer.tsx";
import { Credits } from "./credits.tsx";
import { episodeParts } from "./episode-parts.tsx";
import { SiteHead } from "./head.tsx";
import { Heading } from "./heading.tsx";
import { SanitizedText } from "./sanitized-text.tsx";
import { sourcesOf } from "./sources.ts";
import { timedComments } from "./timed-comments.ts";
import { TrackActs } from "./track-acts.tsx";
import { Counts, Facts, Tags } from "./track-facts.tsx";
import { TrackPlayer } from "./track-player.tsx";
import { Flaws, Unplayable } from "./track-state.tsx";

interface TrackPageProps {
  env: Env;
  row: Row;
  shown: Preview;
  /** Timed comments on the track, by position. */
  remarks: SiteComment[];
  around: Around;
  /** The secret token that opened a private track. */
  secret: string | undefined;
  reader: Reader;
  talk: Talk;
}

/** The comments that the page shows, and the form that is open there. */
interface Talk {
  isThread: boolean;
  /** The comment to reply to. */
  replyTo: number | undefined;
  /** Set to show the comment's or the reply's form again. */
  state: FormState | undefined;
}

export const TrackPage = ({ env, row, shown, remarks, around, secret, reader, talk }: TrackPageProps) => {
  const track = representTrack(env, row);
  const { replyTo, state } = talk;
  // The words of a reply are not lost with the comment that it was for.
  const isReply = around.threads?.items.some((thread) => holds(thread, replyTo)) ?? false;
  const listener = {
    userId: reader.userId ?? null,
    secretHash: secretHashOf(secret),
    from: { app: SITE_VISITOR.clientId, referrer: reader.ledBy },
  };
  const stored = around.episode?.chapters ?? null;
  const sources = isPlayable(row) ? sourcesOf(env, { row, stored }, listener, secret) : undefined;
  const targets = {
    siteUrl: env.WEB_URL,
    momentUrl: (seconds: number) =>
      sources && seconds * 1000 < sources.durationMs ? momentPath(reader, seconds) : undefined,
  };
  const parts = episodeParts(
    { env, reader, track, episode: around.episode, secret },
    sources !== undefined && !sources.isPreview,
  );
  return (
    <Page
      env={env}
      reader={reader}
      styles={parts.styles}
      scripts={parts.scripts}
      title={`${track.title} by ${artistLine(track)} · ${siteName(env)}`}
      head={<SiteHead env={env} shown={shown} secret={secret} podcast={parts.podcast} />}
    >
      <article class={`record ${coverColors(track)}`}>
        <Heading
          of={track}
          title={track.title}
          eyebrow={
            <>
              {around.episode?.show ? "Episode" : (track.track_type ?? "track")}
              {track.sharing === "private" && <span class="badge">Private</span>}
              {track.state === "finished" && track.access === "preview" && <span class="badge">Preview</span>}
            </>
          }
          below={
            <>
              <ScheduledNotice at={track.publish_at} />
              {sources ? (
                <TrackPlayer
                  sources={sources}
                  secret={track.sharing === "private" ? secret : undefined}
                  remarks={timedComments(env, remarks)}
                  path={reader.path}
                />
              ) : (
                <Unplayable env={env} reader={reader} track={track} row={row} />
              )}
              <Composer
                env={env}
                reader={reader}
                row={row}
                author={around.reader}
                state={isReply ? undefined : state}
              />
            </>
          }
        >
          <ArtistLine user={track.user} credited={track.metadata_artist} artists={track.artists} />
          <Credits artists={track.artists} />
          {parts.line}
          <Counts track={track} createdAt={row.created_at} />
          <TrackActs env={env} reader={reader} track={track} shown={shown} around={around} secret={secret} />
        </Heading>
        <div class="with-side">
          <div>
            {track.state !== "failed" && track.encoding && <Flaws warnings={track.encoding.warnings} />}
            {parts.chapters}
            {track.description && (
              <SanitizedText class="description" html={track.description} targets={targets} />
            )}
            {parts.transcript}
            <Tags list={track.tag_list} />
            {around.threads && (
              <Comments
                env={env}
                reader={reader}
                row={row}
                {...talk}
                list={around.threads}
                targets={targets}
              />
            )}
          </div>
          <aside class="side" aria-label="About this track">
            <ArtistCard env={env} reader={reader} user={track.user} follows={around.follows} />
            <Facts track={track} />
            <InSets env={env} reader={reader} rows={around.sets ?? []} />
            <Related env={env} reader={reader} rows={around.related ?? []} />
          </aside>
        </div>
      </article>
    </Page>
  );
};

const InSets = ({ env, reader, rows }: { env: Env; reader: Reader; rows: PlaylistRow[] }) =>
  rows.length === 0 ? null : (
    <section aria-labelledby="in-sets-heading">
      <h2 id="in-sets-heading">In sets</h2>
      <Rows label="Sets with this track">
        {rows.map((row) => (
          <SetRow reader={reader} set={representPlaylist(env, row)} />
        ))}
      </Rows>
    </section>
  );

const Related = ({ env, reader, rows }: { env: Env; reader: Reader; rows: Row[] }) =>
  rows.length === 0 ? null : (
    <section aria-labelledby="related-heading">
      <h2 id="related-heading">Related tracks</h2>
      <Rows label="Related tracks">
        {rows.map((row) => {
          const track = representTrack(env, row);
          return <TrackRow env={env} reader={reader} track={track} />;
        })}
      </Rows>
    </section>
  );

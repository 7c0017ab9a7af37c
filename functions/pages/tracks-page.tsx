import type { SitePage } from "../../db/queries/site-pages.ts";
import { Player } from "../embed/audio-player.tsx";
import type { Preview } from "../embed/preview.ts";
import { inFormat } from "../embed/representation.ts";
import { TrackList } from "../embed/track-list.tsx";
import type { Env } from "../http/env.ts";
import { webUrl } from "../http/links.ts";
import type { Reader } from "../site/bar.tsx";
import { Page } from "../site/layout.tsx";
import { Logo } from "../site/logo.tsx";
import { number } from "../site/words.ts";
import { representTrack } from "../tracks/representation.ts";
import { secretHashOf } from "../tracks/secret.ts";
import { isPlayable, streamsOf } from "../tracks/streams.ts";
import { addressOf, SiteHead, titleOf } from "./head.tsx";

interface TracksPageProps {
  env: Env;
  page: SitePage;
  shown: Preview;
  secret: string | undefined;
  reader: Reader;
}

/** The page of a user or a playlist: a heading, one player and a list of tracks. */
export const TracksPage = ({ env, page, shown, secret, reader }: TracksPageProps) => {
  const row = page.played ?? undefined;
  const plays = row !== undefined && isPlayable(row);
  const address = addressOf(shown, secret);
  return (
    <Page
      env={env}
      reader={reader}
      title={`${titleOf(shown)} · Soundpost`}
      scripts={plays ? ["track-list.client.js", "remarks.client.js"] : []}
      head={<SiteHead env={env} shown={shown} secret={secret} />}
    >
      <article class="card track">
        <header class="track-head">
          <img
            class={shown.kind === "user" ? "avatar" : "artwork"}
            src={inFormat(shown.picture, "t300x300")}
            width="96"
            height="96"
            alt=""
          />
          <div>
            <p class="eyebrow">
              {page.playlist ? (page.playlist.playlist_type ?? "playlist") : "user"}
              {shown.private && <span class="badge">Private link</span>}
            </p>
            <h1>{shown.title}</h1>
            {page.user ? (
              <p class="artist">{nameAndPlace(page.user)}</p>
            ) : (
              <p class="artist">
                by <a href={shown.author.permalink_url}>{shown.author.username}</a>
              </p>
            )}
          </div>
        </header>
        <About page={page} shown={shown} />
        {row && <Now env={env} row={row} />}
        {row && plays && (
          <Player
            track={representTrack(env, row)}
            streams={streamsOf(env, row, {
              userId: reader.userId ?? null,
              secretHash: secretHashOf(secret),
            })}
            comments={page.comments}
          />
        )}
        {row && !plays && <p class="notice">This track cannot be played now. Choose another.</p>}
        {page.items.length > 0 ? (
          <TrackList items={page.items} hrefOf={(at) => `${address}?track=${at + 1}`} played={row?.id} />
        ) : (
          <p class="notice">There are no tracks here yet.</p>
        )}
        <Source env={env} shown={shown} />
      </article>
    </Page>
  );
};

const nameAndPlace = ({ full_name, city, country }: NonNullable<SitePage["user"]>): string =>
  [full_name, [city, country].filter(Boolean).join(", ")].filter(Boolean).join(" · ");

const About = ({ page: { user, playlist }, shown }: { page: SitePage; shown: Preview }) => (
  <>
    {user ? (
      <ul class="counts">
        <li>
          <strong>{number(user.track_count)}</strong> {user.track_count === 1 ? "track" : "tracks"}
        </li>
        <li>
          <strong>{number(user.followers_count)}</strong>{" "}
          {user.followers_count === 1 ? "follower" : "followers"}
        </li>
        <li>
          <strong>{number(user.followings_count)}</strong> following
        </li>
      </ul>
    ) : null}
    {user?.description && <p class="description plain">{user.description}</p>}
    {user?.website && (
      <p>
        <a href={user.website} rel="nofollow ugc noopener">
          {user.website_title ?? user.website}
        </a>
      </p>
    )}
    {playlist && shown.description && <Description html={shown.description} />}
  </>
);

/** The HTML was sanitized when it was written. */
export const Description = ({ html }: { html: string }) => (
  <div class="description" dangerouslySetInnerHTML={{ __html: html }} />
);

/** The track that is playing. Its title links to its page; a private one links to its creator's page. */
const Now = ({ env, row }: { env: Env; row: NonNullable<SitePage["played"]> }) => {
  const { title, metadata_artist, user, permalink_url, sharing } = representTrack(env, row);
  return (
    <p class="now">
      <a href={sharing === "public" ? permalink_url : user.permalink_url}>{title}</a> by{" "}
      <a href={user.permalink_url}>{metadata_artist}</a>
    </p>
  );
};

const Source = ({ env, shown }: { env: Env; shown: Preview }) => (
  <footer class="attribution">
    <p>
      Created by <a href={shown.author.permalink_url}>{shown.author.username}</a>
    </p>
    <p>
      <a class="brand" href={webUrl(env, "/")}>
        <Logo size={18} />
        Soundpost
      </a>
    </p>
  </footer>
);

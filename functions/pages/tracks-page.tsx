import type { SiteItem, SitePage } from "../../db/queries/site-pages.ts";
import type { Preview } from "../embed/preview.ts";
import { inFormat } from "../embed/representation.ts";
import type { Env } from "../http/env.ts";
import { webUrl } from "../http/links.ts";
import { artworkUrl } from "../images/links.ts";
import type { Reader } from "../site/bar.tsx";
import { Page } from "../site/layout.tsx";
import { Logo } from "../site/logo.tsx";
import { clock, number } from "../site/words.ts";
import { representMiniUser } from "../users/representation.ts";
import { SiteHead, titleOf } from "./head.tsx";
import { PlayButton } from "./play-button.tsx";
import { Row, Rows } from "./row.tsx";

interface TracksPageProps {
  env: Env;
  page: SitePage;
  shown: Preview;
  secret: string | undefined;
  reader: Reader;
}

/** The page of a user or a playlist: a heading and a list of tracks. */
export const TracksPage = ({ env, page, shown, secret, reader }: TracksPageProps) => (
  <Page
    env={env}
    reader={reader}
    title={`${titleOf(shown)} · Soundpost`}
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
      {page.items.length > 0 ? (
        <Rows label="Tracks">
          {page.items.map((item) => (
            <Item env={env} item={item} secret={secret} />
          ))}
        </Rows>
      ) : (
        <p class="notice">There are no tracks here yet.</p>
      )}
      <Source env={env} shown={shown} />
    </article>
  </Page>
);

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

const Item = ({ env, item, secret }: { env: Env; item: SiteItem; secret: string | undefined }) => {
  const { id, title, access, state, duration_ms, user } = item;
  const permalink_url = webUrl(env, `/${user.permalink}/${item.permalink}`);
  const artist = item.artist ?? user.username;
  const opening = item.sharing === "private" ? secret : undefined;
  return (
    <Row
      href={opening ? `${permalink_url}/${opening}` : permalink_url}
      title={title}
      picture={artworkUrl(env, item.artwork_version) ?? representMiniUser(user, env).avatar_url}
      by={artist}
      facts={duration_ms ? <li>{clock(duration_ms)}</li> : undefined}
      play={
        <PlayButton
          track={{ id, title, access, state, permalink_url, metadata_artist: artist }}
          secret={opening}
        />
      }
    />
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

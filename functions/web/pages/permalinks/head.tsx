import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { beginningOf } from "../../../lib/text/plain-text.ts";
import { siteName } from "../../../ui/name.ts";
import { playerUrl } from "../../embed/markup.ts";
import { type Preview, secretFor } from "../../embed/preview.ts";
import { inFormat } from "../../embed/representation.ts";
import { type ShownPodcast, structuredData } from "./structured-data.ts";

interface HeadProps {
  env: Env;
  shown: Preview;
  /** The secret token that opened a private resource. */
  secret: string | undefined;
  /** Set for a podcast or one of its episodes. */
  podcast?: ShownPodcast | undefined;
}

/** The page's URL, with the secret if it is private. */
export const addressOf = ({ permalink_url, private: isPrivate }: Preview, secret?: string): string =>
  isPrivate && secret ? `${permalink_url}/${secret}` : permalink_url;

export const titleOf = ({ kind, title, author }: Preview): string =>
  kind === "user" ? title : `${title} by ${author.username}`;

const TYPES = { track: "music.song", playlist: "music.playlist", user: "profile" };
const PLAYER_HEIGHTS = { track: 166, playlist: 450, user: 450 };

/** Tags for previews on other sites: https://ogp.me, https://oembed.com §4. */
export const SiteHead = ({ env, shown, secret, podcast }: HeadProps) => {
  const address = addressOf(shown, secret);
  const image = inFormat(shown.picture, "t500x500");
  const about = beginningOf(shown.description, 300) || `${titleOf(shown)}, on ${siteName(env)}`;
  return (
    <>
      {shown.private ? (
        <meta name="robots" content="noindex" />
      ) : (
        <>
          <link rel="canonical" href={address} />
          <link rel="alternate" type="application/json" href={shown.uri} />
          <script
            type="application/ld+json"
            dangerouslySetInnerHTML={{ __html: structuredData(shown, podcast) }}
          />
        </>
      )}
      <FeedLink shown={shown} secret={secret} />
      <meta name="description" content={about} />
      <meta property="og:type" content={TYPES[shown.kind]} />
      <meta property="og:title" content={shown.title} />
      <meta property="og:description" content={about} />
      <meta property="og:site_name" content={siteName(env)} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="500" />
      <meta property="og:image:height" content="500" />
      {shown.sounds !== undefined && (
        <meta property={`${env.URN_NAMESPACE}:sound_count`} content={String(shown.sounds)} />
      )}
      {shown.recording?.is_open && (
        <>
          <meta property="og:audio" content={`${address}/audio.mp3`} />
          <meta property="og:audio:type" content="audio/mpeg" />
        </>
      )}
      {shown.embeddable_by === "all" && <Embedding env={env} shown={shown} secret={secret} />}
    </>
  );
};

/** A track's page links to its user's feed. The feed of a private set needs the set's secret. */
export function feedOf(shown: Preview, secret: string | undefined): string | undefined {
  if (shown.private && (shown.kind === "track" || !secret)) return undefined;
  return `${shown.kind === "playlist" ? addressOf(shown, secret) : shown.author.permalink_url}/feed.xml`;
}

const FeedLink = ({ shown, secret }: Pick<HeadProps, "shown" | "secret">) => {
  const name = shown.kind === "playlist" ? shown.title : shown.author.username;
  const feed = feedOf(shown, secret);
  return feed ? (
    <link rel="alternate" type="application/rss+xml" href={feed} title={`${name}: podcast feed`} />
  ) : null;
};

const Embedding = ({ env, shown, secret }: HeadProps) => {
  const token = secretFor(shown, secret);
  const at = encodeURIComponent(token ? `${shown.permalink_url}/${token}` : shown.permalink_url);
  const player = playerUrl(shown, {}, env, token);
  const discovered = { json: "application/json+oembed", xml: "text/xml+oembed" };
  return (
    <>
      {Object.entries(discovered).map(([format, type]) => (
        <link
          rel="alternate"
          type={type}
          href={webUrl(env, `/oembed?url=${at}&format=${format}`)}
          title={shown.title}
        />
      ))}
      <meta name="twitter:card" content="player" />
      <meta name="twitter:player" content={player} />
      <meta name="twitter:player:width" content="480" />
      <meta name="twitter:player:height" content={String(PLAYER_HEIGHTS[shown.kind])} />
    </>
  );
};

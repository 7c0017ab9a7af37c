import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { findPage, type SitePage } from "../../db/queries/site-pages.ts";
import type { TrackRow } from "../../db/queries/tracks.ts";
import type { AppEnv, Env } from "../http/env.ts";
import { webUrl } from "../http/links.ts";
import { Routes } from "../http/route.ts";
import { resourceNamed } from "../resolve/address.ts";
import { assetUrl } from "../site/assets.ts";
import { Logo } from "../site/logo.tsx";
import { sendPage } from "../site/policy.ts";
import { representTrack } from "../tracks/representation.ts";
import { presentedBy, secretHashOf } from "../tracks/secret.ts";
import { isPlayable, streamsOf } from "../tracks/streams.ts";
import { Player } from "./audio-player.tsx";
import { PlayerQuery } from "./input.ts";
import { type Preview, previewOf } from "./preview.ts";
import { inFormat } from "./representation.ts";
import { TrackList } from "./track-list.tsx";

/** {web_url}/player, which oEmbed markup puts into other sites' pages. */
export const embedPages = new Routes();

embedPages.page("/player", sendPlayer);
embedPages.page("/player/", sendPlayer);

async function sendPlayer(c: Context<AppEnv>): Promise<Response> {
  const given = PlayerQuery.parse(c.req.query());
  const meant = resourceNamed(given.url, c.env);
  const secret = meant?.secretToken ?? given.secret_token;
  const shows = { items: true, at: given.start_track };
  const page = await findPage(c.var.db, meant ?? {}, presentedBy(c.req, secret), shows);
  const shown = previewOf(c.env, page);
  if (!shown)
    return send(c, <Missing env={c.env} why="It is private or gone, or its address is mistyped." />, 404);
  if (shown.embeddable_by !== "all") return send(c, <Missing env={c.env} shown={shown} />, 403);
  return send(c, <Embed env={c.env} page={page} shown={shown} given={given} secret={secret} />, 200);
}

/** The page holds signed addresses, which are credentials. */
const send = (c: Context<AppEnv>, page: unknown, status: ContentfulStatusCode) =>
  sendPage(c, page, { status, cacheControl: "private, no-store", framed: true });

interface EmbedProps {
  env: Env;
  page: SitePage;
  shown: Preview;
  given: PlayerQuery;
  secret: string | undefined;
}

const Embed = ({ env, page, shown, given, secret }: EmbedProps) => {
  const row = page.track ?? page.played ?? undefined;
  const plays = row !== undefined && isPlayable(row);
  const scripts = ["track-list.client.js", "remarks.client.js", "embed.client.js"];
  return (
    <Frame env={env} title={`${shown.title} · Soundpost`} scripts={plays ? scripts : []} given={given}>
      <img class="embed-picture" src={inFormat(shown.picture, "t300x300")} width="300" height="300" alt="" />
      <section class="embed-main">
        <Now env={env} shown={shown} row={row} />
        {plays ? (
          <Player
            track={representTrack(env, row)}
            streams={streamsOf(env, row, { userId: null, secretHash: secretHashOf(secret) })}
            comments={given.show_comments ? page.comments : []}
          />
        ) : (
          <p class="notice">{unplayable(row)}</p>
        )}
      </section>
      {page.items.length > 0 && (
        <TrackList items={page.items} hrefOf={(at) => hrefOf(env, given, at)} played={row?.id} />
      )}
    </Frame>
  );
};

/** The attribution names creator, source and address. A private track links to its creator's page instead. */
const Now = ({ env, shown, row }: { env: Env; shown: Preview; row: TrackRow | undefined }) => {
  const track = row && representTrack(env, row);
  const isPrivate = shown.private || track?.sharing === "private";
  const author = track?.user ?? shown.author;
  return (
    <header class="now">
      <p class="embed-author">
        <Out href={author.permalink_url}>{track?.metadata_artist ?? author.username}</Out>
      </p>
      <h1>
        <Out href={isPrivate ? author.permalink_url : (track ?? shown).permalink_url}>
          {track?.title ?? shown.title}
        </Out>
      </h1>
      {shown.kind !== "track" && track && (
        <p class="embed-of">
          in <Out href={shown.private ? shown.author.permalink_url : shown.permalink_url}>{shown.title}</Out>
        </p>
      )}
      <a class="brand" href={webUrl(env, "/")} target="_blank" rel="noopener">
        <Logo size={18} />
        Soundpost
      </a>
    </header>
  );
};

const Out = ({ href, children }: { href: string; children?: unknown }) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

/** The address of the page that plays the track at this position. */
const hrefOf = (env: Env, given: PlayerQuery, at: number): string => {
  const query = new URLSearchParams({ url: given.url, start_track: String(at) });
  if (given.secret_token) query.set("secret_token", given.secret_token);
  if (given.color) query.set("color", given.color);
  if (!given.show_comments) query.set("show_comments", "false");
  return webUrl(env, `/player/?${query}`);
};

function unplayable(row: TrackRow | undefined): string {
  if (!row) return "There is nothing to play here yet.";
  if (row.state === "processing") return "This track is being encoded and will play here soon.";
  return row.state === "failed" ? "This track cannot be played." : "This track is not available to you.";
}

/** Says why nothing can be played, and where to go instead. */
const Missing = ({ env, why, shown }: { env: Env; why?: string; shown?: Preview }) => (
  <Frame env={env} title="Soundpost">
    <section class="embed-main">
      <h1>{shown ? "This cannot be played on other sites" : "There is nothing here"}</h1>
      <p>{why ?? "Its owner allows playing it on Soundpost only."}</p>
      <p>
        <Out href={shown && !shown.private ? shown.permalink_url : webUrl(env, "/")}>Open on Soundpost</Out>
      </p>
    </section>
  </Frame>
);

interface FrameProps {
  env: Env;
  title: string;
  scripts?: string[];
  given?: PlayerQuery;
  children?: unknown;
}

const Frame = ({ env, title, scripts = [], given, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="stylesheet" href={assetUrl(env, "style.css")} />
      {scripts.map((name) => (
        <script type="module" src={assetUrl(env, name)} />
      ))}
    </head>
    <body
      class="embed"
      data-color={given?.color && `#${given.color}`}
      data-auto-play={given?.auto_play ? "true" : undefined}
    >
      {children}
    </body>
  </html>
);

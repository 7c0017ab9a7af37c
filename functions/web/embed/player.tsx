import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { embeddedSounds, findPage, type SitePage } from "../../../db/queries/site-pages.ts";
import { resourceNamed } from "../../api/resolve/address.ts";
import { representTrack } from "../../api/tracks/representation.ts";
import { presentedBy } from "../../api/tracks/secret.ts";
import type { AppEnv, Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { referrerOf } from "../../lib/http/referrer.ts";
import { Routes } from "../../lib/http/route.ts";
import { assetUrl } from "../../ui/assets.ts";
import { siteName } from "../../ui/name.ts";
import { sendPage } from "../../ui/policy.ts";
import { SITE_VISITOR } from "../../ui/viewer.ts";
import { pictureOf } from "./covers.ts";
import { PlayerQuery } from "./input.ts";
import { playedOf } from "./playback.ts";
import { Actions, Controls, JsonBlock, Now, Out, Picture, Share, Sounds } from "./player-parts.tsx";
import { type Preview, previewOf } from "./preview.ts";

/** {web_url}/player, which oEmbed markup embeds in other sites' pages. */
export const embedPages = new Routes();

embedPages.page("/player", sendPlayer);
embedPages.page("/player/", sendPlayer);
embedPages.page("/player/sounds", sendSounds);
embedPages.page("/player/api.js", sendWidgetApi);

/** Parses the options and finds the resource that they name. */
function readQuery(c: Context<AppEnv>) {
  const given = PlayerQuery.parse(c.req.query());
  const meant = resourceNamed(given.url, c.env);
  return { given, meant, secret: meant?.secretToken ?? given.secret_token };
}

async function sendPlayer(c: Context<AppEnv>): Promise<Response> {
  const { given, meant, secret } = readQuery(c);
  const wanted = { at: given.start_track, chosen: given.track_id };
  const page = await findPage(
    c.var.db.forVisitors(),
    SITE_VISITOR,
    meant,
    presentedBy(c.req, secret),
    wanted,
  );
  const shown = previewOf(c.env, page);
  if (!shown)
    return send(c, <Missing env={c.env} why="It is private or gone, or its address is mistyped." />, 404);
  if (shown.embeddable_by !== "all") return send(c, <Missing env={c.env} shown={shown} />, 403);
  return send(
    c,
    <Embed
      env={c.env}
      page={page}
      shown={shown}
      given={given}
      secret={secret}
      written={c.req.query()}
      embeddedBy={referrerOf(c.req, c.env)}
    />,
    200,
  );
}

/** The page holds signed URLs, which are credentials. */
const send = (c: Context<AppEnv>, page: unknown, status: ContentfulStatusCode) =>
  sendPage(c, page, { status, cacheControl: "private, no-store", framed: true });

/** Requested by the player's own script when the embedding page wants the list's contents. */
async function sendSounds(c: Context<AppEnv>): Promise<Response> {
  const { meant, secret } = readQuery(c);
  const rows = await embeddedSounds(c.var.db.forVisitors(), SITE_VISITOR, meant, presentedBy(c.req, secret));
  c.header("Cache-Control", "private, no-store");
  return c.json(
    (rows ?? []).map((row) => representTrack(c.env, row)),
    rows ? 200 : 404,
  );
}

/** Redirects to this deployment's script. Any site may include it. */
function sendWidgetApi(c: Context<AppEnv>): Response {
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Cache-Control", "public, max-age=300");
  return c.redirect(assetUrl(c.env, "widget-api.client.js"), 302);
}

interface EmbedProps {
  env: Env;
  page: SitePage;
  shown: Preview;
  given: PlayerQuery;
  /** The unparsed query. */
  written: Record<string, string>;
  secret: string | undefined;
  embeddedBy: string | undefined;
}

const Embed = ({ env, page, shown, given, written, secret, embeddedBy }: EmbedProps) => {
  const { show_comments: showsComments, track_id: chosen } = given;
  const played = playedOf(env, page, { secret, showsComments, chosen, embeddedBy });
  const { sound, trouble } = played;
  const isPrivate = shown.private || sound?.sharing === "private";
  const query = queryOf(written);
  return (
    <Frame
      env={env}
      title={`${shown.title} · ${siteName(env)}`}
      given={given}
      sounds={`/player/sounds?${query}`}
    >
      <Picture src={sound ? pictureOf(sound) : shown.picture} shows={given.show_artwork} />
      <section class="embed-main" aria-label="Player">
        <Now env={env} shown={shown} sound={sound} showsUser={given.show_user} />
        <p class="embed-trouble" data-part="trouble" role="alert" hidden={trouble === undefined}>
          {trouble}
        </p>
        <Controls played={played} />
        <Actions sound={sound} given={given} shares={!isPrivate} />
      </section>
      {page.items.length > 0 && (
        <Sounds items={page.items} hrefOf={(at, id) => hrefOf(query, at, id)} played={sound?.id} />
      )}
      {given.sharing && !isPrivate && <Share env={env} shown={shown} given={given} />}
      <JsonBlock name="played" content={played} />
    </Frame>
  );
};

/** Drops unknown options. */
function queryOf(written: Record<string, string>): URLSearchParams {
  const known = Object.keys(PlayerQuery.shape).filter((name) => name !== "auto_play");
  return new URLSearchParams(
    known.flatMap((name) => (written[name] === undefined ? [] : [[name, written[name]]])),
  );
}

/** The URL of the page that plays this track. Its position alone would be wrong once the list has changed. */
function hrefOf(query: URLSearchParams, at: number, id: number): string {
  const chosen = new URLSearchParams(query);
  chosen.set("start_track", String(at));
  chosen.set("track_id", String(id));
  return `/player/?${chosen}`;
}

/** Explains why nothing is playable, and where to go instead. */
const Missing = ({ env, why, shown }: { env: Env; why?: string; shown?: Preview }) => (
  <Frame env={env} title={siteName(env)}>
    <section class="embed-main embed-missing">
      <h1>{shown ? "This cannot be played on other sites" : "There is nothing here"}</h1>
      <p>{why ?? "Its owner does not allow playing it on other sites."}</p>
      <p>
        <Out href={shown && !shown.private ? shown.permalink_url : webUrl(env, "/")}>
          Open on {siteName(env)}
        </Out>
      </p>
    </section>
  </Frame>
);

interface FrameProps {
  env: Env;
  title: string;
  given?: PlayerQuery;
  /** The URL of the list's contents. */
  sounds?: string;
  children?: unknown;
}

const Frame = ({ env, title, given, sounds, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{title}</title>
      <link rel="icon" type="image/svg+xml" href={assetUrl(env, "logo.svg")} />
      <link rel="stylesheet" href={assetUrl(env, "style.css")} />
      <link rel="stylesheet" href={assetUrl(env, "embed.css")} />
      <script type="module" src={assetUrl(env, "embed.client.js")} />
    </head>
    <body
      class={given?.visual ? "embed visual" : "embed"}
      data-color={given?.color && `#${given.color}`}
      data-auto-play={given?.auto_play ? "true" : undefined}
      data-single-active={given?.single_active === false ? "false" : undefined}
      data-sounds={sounds}
    >
      <main>{children}</main>
    </body>
  </html>
);

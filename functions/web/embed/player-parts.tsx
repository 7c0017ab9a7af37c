import type { SiteItem } from "../../../db/queries/site-pages.ts";
import { artistLine } from "../../api/tracks/artists.ts";
import type { Track } from "../../api/tracks/representation.ts";
import type { Env } from "../../lib/http/env.ts";
import { webUrl } from "../../lib/http/links.ts";
import { Icon } from "../../ui/icons.tsx";
import { Logo } from "../../ui/logo.tsx";
import { siteName } from "../../ui/name.ts";
import { Seek } from "../../ui/seek.tsx";
import { clock, number } from "../../ui/words.ts";
import type { EmbedQuery, PlayerQuery } from "./input.ts";
import { markup } from "./markup.ts";
import type { Played } from "./playback.ts";
import type { Preview } from "./preview.ts";
import { HEIGHTS, inFormat } from "./representation.ts";

/** Parts of the embedded player. For the next track, the script replaces those with `data-part`. */

export const Out = ({ href, children }: { href: string; children?: unknown }) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

export const Picture = ({ src, shows }: { src: string; shows: boolean }) => (
  <img
    class="embed-picture"
    data-part="picture"
    src={inFormat(src, "t500x500")}
    width="500"
    height="500"
    alt=""
    hidden={!shows}
  />
);

interface NowProps {
  env: Env;
  shown: Preview;
  sound: Track | null;
  showsUser: boolean;
}

/** The attribution names creator, source and URL. A private track links to its creator's page instead. */
export const Now = ({ env, shown, sound, showsUser }: NowProps) => {
  const isPrivate = shown.private || sound?.sharing === "private";
  const author = sound?.user ?? shown.author;
  return (
    <header class="now" data-part="now">
      {showsUser && (
        <p class="embed-author" dir="auto">
          <Out href={author.permalink_url}>{sound ? artistLine(sound) : author.username}</Out>
        </p>
      )}
      <h1 dir="auto">
        <Out href={isPrivate ? author.permalink_url : (sound ?? shown).permalink_url}>
          {sound?.title ?? shown.title}
        </Out>
      </h1>
      {shown.kind !== "track" && sound && (
        <p class="embed-of">
          in <Out href={shown.private ? shown.author.permalink_url : shown.permalink_url}>{shown.title}</Out>
        </p>
      )}
      <a class="brand" href={webUrl(env, "/")} target="_blank" rel="noopener" aria-label={siteName(env)}>
        <Logo size={18} />
        <span>{siteName(env)}</span>
      </a>
    </header>
  );
};

/** Without a script, the browser's own controls play the MP3, or HLS during the encode. */
export const Controls = ({ played: { sources, isPreview, durationMs } }: { played: Played }) => (
  <div class="embed-player" hidden={sources === undefined}>
    <audio controls preload="none" src={sources?.mp3 ?? sources?.hls} />
    <div class="embed-controls" hidden>
      <button class="embed-play" type="button" aria-label="Play">
        <Icon name="play" />
        <Icon name="pause" />
      </button>
      <span class="embed-elapsed">0:00</span>
      <Seek name="embed-seek" durationMs={durationMs}>
        <div class="waveform-comments" aria-hidden="true" />
      </Seek>
      <span class="embed-total">{clock(durationMs)}</span>
    </div>
    <p class="embed-note" data-part="note">
      {isPreview && `You hear the first ${clock(durationMs)}. The whole track is for paid plans.`}
      {sources?.state === "growing" && "This track is still being encoded. You can hear what is ready."}
    </p>
    <p class="said" hidden />
  </div>
);

interface ActionsProps {
  sound: Track | null;
  given: PlayerQuery;
  /** Whether the URL is public. */
  shares: boolean;
}

/** Number of plays, and actions other than playing. */
export const Actions = ({ sound, given, shares }: ActionsProps) => (
  <footer class="embed-actions" data-part="actions">
    {given.buying && sound?.purchase_url && (
      <a class="buy" href={sound.purchase_url} target="_blank" rel="nofollow ugc noopener">
        {sound.purchase_title ?? "Buy"}
      </a>
    )}
    {given.download && shares && sound?.download_url && (
      <a class="download" href={sound.permalink_url} target="_blank" rel="noopener">
        Download
      </a>
    )}
    {given.sharing && shares && (
      <button class="embed-share-open" type="button" aria-haspopup="dialog" hidden>
        Share
      </button>
    )}
    {given.show_playcount && sound?.playback_count ? (
      <span class="embed-plays">
        {number(sound.playback_count)} {sound.playback_count === 1 ? "play" : "plays"}
      </span>
    ) : null}
  </footer>
);

interface SoundsProps {
  items: SiteItem[];
  /** Returns the URL of the page that plays the track with this position and id. */
  hrefOf: (at: number, id: number) => string;
  /** The id of the current track. */
  played: number | undefined;
}

/** Links each track to the page that plays it. The script plays them here instead. */
export const Sounds = ({ items, hrefOf, played }: SoundsProps) => (
  <ol class="embed-list" aria-label="Tracks">
    {items.map((item, at) => (
      <li>
        <a
          href={hrefOf(at, item.id)}
          data-id={String(item.id)}
          data-title={item.title}
          data-blocked={item.access === "blocked" ? "true" : undefined}
          aria-current={item.id === played ? "true" : undefined}
        >
          <span class="listed-at">{at + 1}</span>
          <span class="listed-title" dir="auto">
            {item.title}
          </span>
          <span class="listed-artist" dir="auto">
            {item.artist ?? item.user.username}
          </span>
          <span class="listed-length">{item.duration_ms ? clock(item.duration_ms) : ""}</span>
        </a>
      </li>
    ))}
  </ol>
);

interface ShareProps {
  env: Env;
  shown: Preview;
  given: PlayerQuery;
}

export const Share = ({ env, shown, given }: ShareProps) => {
  const size = { width: "100%", height: HEIGHTS[shown.kind] } as const;
  const looks: EmbedQuery = { ...given, auto_play: false, iframe: true };
  return (
    <dialog class="embed-share" aria-label="Share">
      <Copied name="Link" text={shown.permalink_url} />
      <Copied name="Embed" text={markup(shown, looks, size, env)} />
      <button class="embed-share-close" type="button">
        Close
      </button>
    </dialog>
  );
};

const Copied = ({ name, text }: { name: string; text: string }) => (
  <p>
    <label>
      {name}
      <input type="text" readonly value={text} />
    </label>
    <button type="button" data-copies={name} aria-label={`Copy: ${name}`}>
      Copy
    </button>
  </p>
);

/** Data for the script. Browsers do not run this type, so the policy allows it. */
export const JsonBlock = ({ name, content }: { name: string; content: unknown }) => (
  <script
    type="application/json"
    data-block={name}
    dangerouslySetInnerHTML={{ __html: JSON.stringify(content).replaceAll("<", "\\u003c") }}
  />
);

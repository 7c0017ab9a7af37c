import type { Child } from "hono/jsx";
import type { EpisodeShown, Show } from "../../../../db/queries/podcast-pages.ts";
import { listedChapters } from "../../../api/podcasts/chapters.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { ChapterList } from "./chapter-list.tsx";
import { episodeName } from "./episode-words.ts";
import type { ShownPodcast } from "./structured-data.ts";
import { Transcript } from "./transcript.tsx";

interface EpisodeProps {
  env: Env;
  reader: Reader;
  track: Track;
  episode: EpisodeShown | undefined;
  /** The secret token that opened the page. */
  secret: string | undefined;
}

interface EpisodeParts {
  /** Its show, season and number. Null if it has none. */
  line: Child;
  chapters: Child;
  transcript: Child;
  /** File names of what these parts need. */
  styles: string[];
  scripts: string[];
  podcast: ShownPodcast | undefined;
}

/** Makes the parts of a track's page that only episodes have, and tracks with chapters or a transcript. */
export function episodeParts(
  { env, reader, track, episode, secret }: EpisodeProps,
  isHeard: boolean,
): EpisodeParts {
  const { show = null, cues = null, language = null } = episode ?? {};
  const listed = isHeard
    ? listedChapters({
        stored: episode?.chapters ?? null,
        description: track.description,
        durationMs: track.duration,
      })
    : [];
  const name = episodeName(episode?.episode);
  const isExplicit = episode?.episode?.explicit === true;
  const href = show && showPath(env, show, reader.userId === track.user_id ? undefined : secret);
  const hasTexts = listed.length > 0 || (isHeard && cues !== null);
  const opened = track.sharing === "private" && secret ? `/${secret}` : "";
  return {
    line: (show || name || isExplicit) && (
      <p class="of-show">
        <Apart>
          {show && href && <a href={href}>{show.title}</a>}
          {name && <span>{name}</span>}
          {isExplicit && <span class="badge">Explicit</span>}
        </Apart>
      </p>
    ),
    chapters: listed.length > 0 && <ChapterList env={env} reader={reader} chapters={listed} />,
    transcript: isHeard && cues && (
      <Transcript reader={reader} cues={cues} language={language} page={track.permalink_url + opened} />
    ),
    styles: show || name || hasTexts ? ["podcast.css"] : [],
    scripts: hasTexts ? ["podcast.client.js"] : [],
    podcast: episode && {
      kind: "episode",
      episode: episode.episode,
      show: show && href ? { title: show.title, url: href } : null,
    },
  };
}

/** The secret that opened a private show opened its episode, too. */
function showPath(
  env: Env,
  { owner, permalink, private: isPrivate }: Show,
  secret: string | undefined,
): string {
  const path = `/${owner}/sets/${permalink}`;
  return webUrl(env, isPrivate && secret ? `${path}/${secret}` : path);
}

import type { ListedEpisode } from "../../../../db/queries/podcast-pages.ts";
import { withoutChapters } from "../../../api/podcasts/chapters.ts";
import type { Track } from "../../../api/tracks/representation.ts";
import type { Env } from "../../../lib/http/env.ts";
import { beginningOf, textOfBeginning } from "../../../lib/text/plain-text.ts";
import { linkedText } from "../../../lib/text/text-links.ts";
import { Apart } from "../../../ui/apart.tsx";
import type { Reader } from "../../../ui/bar.tsx";
import { Day } from "../../../ui/day.tsx";
import { clock } from "../../../ui/words.ts";
import { Cover } from "../rows/cover.tsx";
import { PlayButton } from "../rows/play-button.tsx";
import { TrackMenu } from "../rows/row-menu.tsx";
import { FavoriteButton } from "../rows/track-row.tsx";
import { episodeName } from "./episode-words.ts";

interface ShowEpisodeProps {
  env: Env;
  reader: Reader;
  track: Track;
  listed: ListedEpisode;
  /** The value of the podcast, for an episode that has none. */
  isExplicit: boolean;
  /** The token of the private link that opened the show. */
  secret: string | undefined;
}

/** An episode on the page of its show. */
export const ShowEpisode = ({ env, reader, track, listed, isExplicit, secret }: ShowEpisodeProps) => {
  const { episode, notes, published_at } = listed;
  const opened = track.sharing === "private" ? secret : undefined;
  const words = notesIn(notes);
  return (
    <li class="episode">
      <div class="row-cover">
        <Cover of={track} size="row" />
        <PlayButton track={track} secret={opened} />
      </div>
      <div class="episode-words">
        <p class="episode-facts">
          <Apart>
            <Day at={published_at} />
            {episodeName(episode) && <span>{episodeName(episode)}</span>}
            {track.duration > 0 && <span>{clock(track.duration)}</span>}
            {(episode?.explicit ?? isExplicit) && <span class="badge">Explicit</span>}
            {track.sharing === "private" && <span class="badge">Private</span>}
            {track.state === "processing" && <span class="badge">Being encoded</span>}
            {track.access === "blocked" && <span class="badge">Not available to you</span>}
          </Apart>
        </p>
        <h3 class="row-title">
          <a href={opened ? `${track.permalink_url}/${opened}` : track.permalink_url}>{track.title}</a>
        </h3>
        {words && (
          <p
            class="episode-notes"
            dangerouslySetInnerHTML={{ __html: linkedText(words, { siteUrl: env.WEB_URL }) }}
          />
        )}
      </div>
      <div class="row-acts">
        <FavoriteButton env={env} reader={reader} track={track} secret={opened} />
        <TrackMenu reader={reader} track={track} secret={opened} />
      </div>
    </li>
  );
};

/** Characters. */
const SHOWN = 280;

/** The beginning of the notes without their chapters on one line, up to a whole word. */
function notesIn(html: string | null): string {
  const text = withoutChapters(textOfBeginning(html ?? ""))
    .trim()
    .replace(/\s+/g, " ");
  if (text.length <= SHOWN) return text;
  return `${beginningOf(text, SHOWN).replace(/\s\S*$/, "")} …`;
}

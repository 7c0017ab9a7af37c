import type { Cue } from "../../../../db/schema/podcasts.ts";
import { escaped } from "../../../lib/text/plain-text.ts";
import type { Reader } from "../../../ui/bar.tsx";
import { clock } from "../../../ui/words.ts";
import { momentPath, NOWHERE, pathWith } from "../rows/paging.tsx";
import { beginningOf, type Turn, turnsOf } from "./turns.ts";

interface TranscriptProps {
  reader: Reader;
  cues: Cue[];
  /** BCP 47. */
  language: string | null;
  /** The path of the track's page, with the secret that opened it. */
  page: string;
}

/**
 * The words of a track. Times play from there. `podcast.client.ts` marks the present words, scrolls along, searches, and
 * plays from words that are pressed. Of a long one the page shows the beginning, and all with `?transcript=whole`.
 */
export const Transcript = ({ reader, cues, language, page }: TranscriptProps) => {
  const turns = turnsOf(cues);
  const shown = isWhole(reader) ? turns : beginningOf(turns);
  const following = turns[shown.length]?.cues[0];
  return (
    <section class="transcript" id="transcript" aria-labelledby="transcript-heading">
      <h2 id="transcript-heading">Transcript</h2>
      <episode-transcript>
        <div class="transcript-tools" hidden>
          <label>
            <span class="sr-only">Search the transcript</span>
            <input type="search" placeholder="Search the transcript" maxlength={100} />
          </label>
          <label class="transcript-follow">
            <input type="checkbox" checked /> Follow the sound
          </label>
          <p class="transcript-found" role="status" />
        </div>
        {/* It scrolls, so keyboards must reach it. */}
        <section class="transcript-text" aria-label="Words" tabindex={0} lang={language ?? undefined}>
          {shown.map((turn) => (
            <TurnShown turn={turn} reader={reader} />
          ))}
        </section>
        {following && (
          <p>
            <a class="transcript-whole" href={wholePath(reader)} data-from={String(following.start)}>
              Whole transcript
            </a>
          </p>
        )}
      </episode-transcript>
      <p class="transcript-files">
        <a href={`${page}/transcript.vtt`} data-turbo="false">
          WebVTT
        </a>{" "}
        <a href={`${page}/transcript.srt`} data-turbo="false">
          SubRip
        </a>
      </p>
    </section>
  );
};

const WHOLE = "whole";

const isWhole = ({ path }: Reader): boolean =>
  new URL(path, NOWHERE).searchParams.get("transcript") === WHOLE;

const wholePath = ({ path }: Reader): string =>
  `${pathWith(path, { transcript: WHOLE, t: undefined })}#transcript`;

const TurnShown = ({ turn: { speaker, cues }, reader }: { turn: Turn; reader: Reader }) => {
  const start = cues[0]?.start ?? 0;
  return (
    <div class="turn">
      <p class="turn-head">
        <a class="turn-time" href={momentPath(reader, Math.floor(start / 1_000))} data-at={String(start)}>
          {clock(start)}
        </a>{" "}
        {speaker && (
          <strong class="turn-speaker" dir="auto">
            {speaker}
          </strong>
        )}
      </p>
      <p dir="auto" dangerouslySetInnerHTML={{ __html: cues.map(spanOf).join(" ") }} />
    </div>
  );
};

/** Not an element, because a long talk has thousands. */
const spanOf = ({ start, text }: Cue): string =>
  `<span class="cue" data-at="${start}">${escaped(text.replaceAll("\n", " "))}</span>`;

import type { Cue } from "../../../../db/schema/podcasts.ts";

/** A paragraph of one speaker. */
export interface Turn {
  /** Named where it differs from the turn before. */
  speaker: string | undefined;
  cues: Cue[];
}

/** Characters after which a turn ends with its sentence, and those after which it ends in any case. */
const SENTENCES = 400;
const MOST = 900;

/** Milliseconds of silence that part two turns. */
const SILENCE_MS = 4_000;

/** Segments that a page shows before its reader asks for the others. A talk of hours has ten thousand. */
const AT_FIRST = 200;

const ENDS_SENTENCE = /[.!?…。！？؟][\p{Pe}\p{Pf}"']*$/u;

/** Joins cues, which are as short as a line of subtitles, to paragraphs. */
export function turnsOf(cues: Cue[]): Turn[] {
  const turns: Turn[] = [];
  let length = 0;
  let before: Cue | undefined;
  for (const cue of cues) {
    if (before && !isNewTurn(before, cue, length)) turns.at(-1)?.cues.push(cue);
    else {
      turns.push({ speaker: before?.speaker === cue.speaker ? undefined : cue.speaker, cues: [cue] });
      length = 0;
    }
    length += cue.text.length;
    before = cue;
  }
  return turns;
}

/** Whole turns that a page shows at first. */
export function beginningOf(turns: Turn[]): Turn[] {
  let cues = 0;
  const rest = turns.findIndex((turn) => {
    const isFull = cues >= AT_FIRST;
    cues += turn.cues.length;
    return isFull;
  });
  return rest < 0 ? turns : turns.slice(0, rest);
}

const isNewTurn = (before: Cue, cue: Cue, length: number): boolean =>
  before.speaker !== cue.speaker ||
  cue.start - before.end > SILENCE_MS ||
  length > MOST ||
  (length > SENTENCES && ENDS_SENTENCE.test(before.text));

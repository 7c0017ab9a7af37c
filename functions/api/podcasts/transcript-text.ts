import type { Cue } from "../../../db/schema/podcasts.ts";

/** Reads transcripts in the two formats of podcasts: WebVTT (https://www.w3.org/TR/webvtt1/) and SubRip. */

/** Most cues: ten hours of quick talk. */
const MAX_CUES = 20_000;

/** Characters of a cue, with its markup. */
const MAX_CUE = 2_000;

/** Characters. */
const MAX_SPEAKER = 100;

/** A transcript that cannot be read. The message names the line. */
export class TranscriptFault extends Error {}

interface Block {
  /** Number of its first line, from 1. */
  line: number;
  lines: string[];
}

/** Reads the cues, in order. Throws `TranscriptFault`. */
export function cuesIn(file: string): Cue[] {
  const text = file.replace(/^\uFEFF/, "");
  const isVtt = /^WEBVTT(?:[ \t\r\n]|$)/.test(text);
  const [first, ...others] = blocksOf(text);
  // The header may have notes of its own below the first line.
  const blocks = isVtt ? others.filter(({ lines }) => !isSkipped(lines[0])) : [first, ...others];
  const cues: Cue[] = [];
  for (const block of blocks) if (block) addCues(cues, block, isVtt);
  if (cues.length === 0) throw new TranscriptFault("has no words with times, as WebVTT or SubRip have them");
  return cues;
}

/** Notes, styles and regions of WebVTT. */
const isSkipped = (line = "") => /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(line);

/** Splits at empty lines. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [at, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = written.trimEnd();
    if (line === "") open = undefined;
    else if (open) open.lines.push(line);
    else {
      open = { line: at + 1, lines: [line] };
      blocks.push(open);
    }
  }
  return blocks;
}

/** The times may follow a number or a name. */
function addCues(cues: Cue[], { line, lines }: Block, isVtt: boolean): void {
  const at = lines.slice(0, 2).findIndex((one) => one.includes("-->"));
  if (at < 0) throw noTimes(line);
  const { start, end } = timesIn(lines[at] ?? "", line + at);
  if (start < (cues.at(-1)?.start ?? 0))
    throw new TranscriptFault(`line ${line + at}: begins before the words above it`);
  const words = lines.slice(at + 1).join("\n");
  if (words.length > MAX_CUE)
    throw new TranscriptFault(`line ${line + at}: has more than ${MAX_CUE} characters`);
  for (const said of isVtt ? voicesIn(words) : [spokenIn(textOf(words))])
    if (said.text !== "") cues.push({ start, end, ...said });
  if (cues.length > MAX_CUES) throw new TranscriptFault(`has more than ${MAX_CUES} parts`);
}

const noTimes = (line: number) =>
  new TranscriptFault(`line ${line}: has no times, such as 00:01:02.500 --> 00:01:05.000`);

/** Hours are optional. SubRip has a comma before the milliseconds. Settings of the place may follow. */
const TIMES =
  /^\s*(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,3})\s*-->\s*(?:(\d{1,2}):)?([0-5]?\d):([0-5]\d)[.,](\d{1,3})(?:\s|$)/;

function timesIn(text: string, line: number): Pick<Cue, "start" | "end"> {
  const found = TIMES.exec(text);
  if (!found) throw noTimes(line);
  const [start, end] = [millisecondsOf(found.slice(1, 5)), millisecondsOf(found.slice(5, 9))];
  if (end <= start) throw new TranscriptFault(`line ${line}: ends before it begins`);
  return { start, end };
}

const millisecondsOf = ([h = "0", m = "0", s = "0", fraction = ""]: (string | undefined)[]): number =>
  ((Number(h) * 60 + Number(m)) * 60 + Number(s)) * 1_000 + Number(fraction.padEnd(3, "0"));

type Said = Pick<Cue, "text" | "speaker">;

const VOICE = /<v(?:\.[^\s>]*)?[ \t]+([^>]*)>/;

/** WebVTT names who speaks by `<v Name>`, up to the next one. */
function voicesIn(words: string): Said[] {
  const [before = "", ...voices] = words.split(VOICE);
  const said: Said[] = [{ text: textOf(before) }];
  for (let at = 0; at < voices.length; at += 2) {
    const speaker = speakerOf(textOf(voices[at] ?? ""));
    said.push({ text: textOf(voices[at + 1] ?? ""), ...(speaker && { speaker }) });
  }
  return said;
}

/** SubRip has no mark for it: podcasts write the name with a colon before the words. */
function spokenIn(text: string): Said {
  const [, name, words] = /^([\p{Lu}\p{Lo}][^:\n]{0,40}):\s+(\S.*)$/su.exec(text) ?? [];
  return name && words ? { text: words, speaker: name } : { text };
}

const speakerOf = (name: string) => name.replace(/\s+/g, " ").slice(0, MAX_SPEAKER);

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  lrm: "\u200E",
  rlm: "\u200F",
};

/** Embeddings and overrides would turn the words beside them around. */
const UNWANTED = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Drops markup and what is no text, such as control characters and halves of letters. */
const textOf = (words: string): string =>
  words
    .split("\n")
    .map((line) =>
      line
        .replace(/<[^>]*>/g, "")
        .replace(/&(\w{2,4});/g, (whole, name) => ENTITIES[name] ?? whole)
        .replace(UNWANTED, "")
        .toWellFormed()
        .trim(),
    )
    .filter(Boolean)
    .join("\n");

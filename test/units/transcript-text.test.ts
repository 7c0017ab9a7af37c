import { describe, expect, test } from "vitest";
import { transcriptFile } from "../../functions/api/podcasts/transcript-files.ts";
import { cuesIn } from "../../functions/api/podcasts/transcript-text.ts";
import { turnsOf } from "../../functions/web/pages/permalinks/turns.ts";
import { inLinearTime } from "../support/linear.ts";

const VTT = `\uFEFFWEBVTT - Pilot
Kind: captions

NOTE
written by hand

STYLE
::cue { color: lime }

intro
00:01.000 --> 00:04.500 align:start
<v.loud Ana Torres>Hello &amp; <b>welcome</b>,
dear <i>listeners</i>

00:00:05.000 --> 01:00:06.250
<v Bo>Hi.</v> <v Ana Torres>And you?
`;

const SRT =
  "1\r\n00:00:01,000 --> 00:00:04,500\r\nAna Torres: Hello\r\n\r\n2\r\n00:00:05,0 --> 00:00:06,25\r\n<font color=red>Note: no name of\r\nmore lines</font>\r\n";

describe("a transcript in WebVTT", () => {
  test("is read without marks, notes and markup, with who speaks", () => {
    expect(cuesIn(VTT)).toEqual([
      { start: 1_000, end: 4_500, speaker: "Ana Torres", text: "Hello & welcome,\ndear listeners" },
      { start: 5_000, end: 3_606_250, speaker: "Bo", text: "Hi." },
      { start: 5_000, end: 3_606_250, speaker: "Ana Torres", text: "And you?" },
    ]);
  });

  test("is the same after it was written and read again", () => {
    const cues = cuesIn(VTT.replace("Hello", "1 &lt; 2 --&gt; 3, <script>alert(1)</script>"));
    expect(cues[0]?.text).toBe("1 < 2 --> 3, alert(1) & welcome,\ndear listeners");
    expect(cuesIn(transcriptFile("vtt", cues))).toEqual(cues);
    expect(transcriptFile("vtt", cues)).not.toContain("<script");
  });
});

describe("a transcript in SubRip", () => {
  test("is read, with a name before a colon as who speaks", () => {
    expect(cuesIn(SRT)).toEqual([
      { start: 1_000, end: 4_500, speaker: "Ana Torres", text: "Hello" },
      { start: 5_000, end: 6_250, speaker: "Note", text: "no name of\nmore lines" },
    ]);
  });

  test("is the same after it was written and read again, but for arrows", () => {
    const cues = cuesIn(SRT);
    expect(cuesIn(transcriptFile("srt", cues))).toEqual(cues);
    const [first] = cuesIn("00:00.000 --> 00:01.000\na --&gt; b");
    expect(first && transcriptFile("srt", [first])).toBe("1\n00:00:00,000 --> 00:00:01,000\na → b\n");
  });
});

test.each([
  ["WEBVTT\n\n00:05.000 --> 00:04.000\nHi", "line 3: ends before it begins"],
  [
    "WEBVTT\n\n00:05.000 --> 00:06.000\nHi\n\n00:01.000 --> 00:02.000\nBye",
    "line 6: begins before the words",
  ],
  ["WEBVTT\n\nname\n0:5 --> 0:6\nHi", "line 4: has no times, such as 00:01:02.500"],
  ["1\n00:00:01,000 --> 00:00:02,000\nHi\n\nand more", "line 5: has no times"],
  ["<html>\n<p>Hi", "line 1: has no times"],
  ["WEBVTT", "has no words with times"],
  ["", "has no words with times"],
  [`WEBVTT\n\n00:01.000 --> 00:02.000\n${"a".repeat(2_001)}`, "line 3: has more than 2000 characters"],
  [`WEBVTT\n\n${"00:01.000 --> 00:02.000\na\n\n".repeat(20_001)}`, "has more than 20000 parts"],
])("a fault names its line: %j", (text, fault) => {
  expect(() => cuesIn(text)).toThrow(fault);
});

test("control characters, halves of letters and overrides of direction are dropped", () => {
  expect(cuesIn("WEBVTT\n\n00:01.000 --> 00:02.000\na\u0000b\ud800c\u202ed")).toMatchObject([
    { text: "ab\ufffdcd" },
  ]);
});

test.each([
  ["brackets", `WEBVTT\n\n00:01.000 --> 00:02.000\n${"<".repeat(2_000_000)}`],
  ["empty lines", `WEBVTT\n\n00:01.000 --> 00:02.000\na${"\n \n".repeat(700_000)}`],
  ["blanks before the times", `WEBVTT\n\n${" ".repeat(2_000_000)}-->x`],
])("a megabyte of %s costs no square of its size", (_, text) => {
  expect(
    inLinearTime(() => {
      try {
        return cuesIn(text).length;
      } catch {
        return 0;
      }
    }),
  ).toBeLessThan(2);
});

test("cues become paragraphs, which end with who speaks, with a sentence or in a silence", () => {
  const cue = (at: number, text: string, speaker?: string) => ({ start: at, end: at + 1_000, text, speaker });
  const long = `${"word ".repeat(90)}end.`;
  const turns = turnsOf([
    cue(0, "Hello", "Ana"),
    cue(1_000, "again.", "Ana"),
    cue(2_000, "Hi.", "Bo"),
    cue(3_000, long, "Bo"),
    cue(4_000, "More.", "Bo"),
    cue(20_000, "Later.", "Bo"),
  ]);
  expect(turns.map(({ speaker, cues }) => [speaker, cues.length])).toEqual([
    ["Ana", 2],
    ["Bo", 2],
    [undefined, 1],
    [undefined, 1],
  ]);
});

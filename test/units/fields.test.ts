import { describe, expect, test } from "vitest";
import { NewAppBody } from "../../functions/api/apps/input.ts";
import { EpisodeChangesBody, PodcastChangesBody } from "../../functions/api/podcasts/input.ts";
import { NewTrackBody, SharesBody } from "../../functions/api/tracks/input.ts";
import { line, Username } from "../../functions/api/users/account-input.ts";
import { attachment } from "../../functions/lib/http/files/disposition.ts";
import { flag, idText, integerText, plainIdText, text } from "../../functions/lib/text/fields.ts";

/** Values that are no id, wherever an id may occur. */
const NO_IDS = [
  "",
  "0",
  "-1",
  "+1",
  "00",
  "01",
  "1e3",
  "0x10",
  "1.0",
  "1_000",
  "1,000",
  " 1",
  "1 ",
  "1\n",
  "٣",
  "１",
  "Ⅷ",
  "9007199254740992",
  "9999999999999999",
  "9".repeat(400),
  "NaN",
  "Infinity",
  "null",
  "true",
  "1;DROP",
  "1\u0000",
];

describe("an id", () => {
  test.each(NO_IDS)("is not %j", (given) => {
    expect(idText("tracks").safeParse(given).success).toBe(false);
    expect(plainIdText.safeParse(given).success).toBe(false);
    expect(idText("tracks").safeParse(`soundcloud:tracks:${given}`).success).toBe(false);
  });

  test.each([1, 10, 1234567890123, Number.MAX_SAFE_INTEGER])("may be %d, alone or in a URN", (id) => {
    expect(idText("tracks").parse(String(id))).toBe(id);
    expect(plainIdText.parse(String(id))).toBe(id);
    expect(idText("tracks").parse(`soundcloud:tracks:${id}`)).toBe(id);
  });

  test.each([
    "soundcloud:users:1",
    "soundcloud:tracks:",
    ":tracks:1",
    "tracks:1",
    "soundcloud:tracks:1:2",
    "soundcloud:tracks:1\n",
    "SoundCloud:tracks:1",
    "a:b:tracks:1",
    "soundcloud:tracks:tracks:1",
  ])("does not accept the track id %j", (given) => {
    expect(idText("tracks").safeParse(given).success).toBe(false);
  });

  test("is no URN in a plain field", () => {
    expect(plainIdText.safeParse("soundcloud:users:1").success).toBe(false);
  });
});

describe("a whole number", () => {
  const number = integerText(-5, 200);

  test.each(["-6", "201", "1e2", "0x10", "1.0", " 1", "", "٣", "--1", "+1", "9".repeat(400)])(
    "is not %j",
    (given) => {
      expect(number.safeParse(given).success).toBe(false);
    },
  );

  test.each([
    ["-5", -5],
    ["0", 0],
    ["007", 7],
    ["200", 200],
  ])("may be %s", (given, value) => {
    expect(number.parse(given)).toBe(value);
  });
});

describe("text", () => {
  test("is trimmed before its length is counted", () => {
    expect(text(3).parse("  abc \n")).toBe("abc");
    expect(text(3).safeParse("abcd").success).toBe(false);
  });

  test("keeps line ends, tabs and every script", () => {
    for (const given of ["a\tb\r\nc", "日本語", "👩‍👩‍👧", "עברית", "\u200f"])
      expect(text(50).parse(given)).toBe(given);
  });

  test.each(["a\u0000b", "a\u0007b", "a\u001bb", "a\u007fb", "a\u0085b", "a\ud800b", "a\udc00"])(
    "is not %j",
    (given) => {
      expect(text(50).safeParse(given).success).toBe(false);
    },
  );
});

describe("a name", () => {
  test.each([
    ["username", Username, 50],
    ["app", NewAppBody.shape.name, 100],
  ])("of a %s is refused by its length alone, because its other rules are slow (X81)", (_, name, most) => {
    const longAndHidden = name.safeParse("\u200b".repeat(most + 1));
    expect(longAndHidden.error?.issues.map(({ message }) => message)).toEqual([
      `may have ${most} characters at most`,
    ]);
  });
});

test("a name that is stored can be sent back: its length counts after normalization", () => {
  const letters = (count: number) => Username.safeParse("\ufb2c".repeat(count));
  const longest = letters(16);
  expect(Username.safeParse(longest.data)).toEqual(longest);
  expect(letters(17).error?.issues.map(({ message }) => message)).toEqual(["may have 50 characters at most"]);
});

describe("a flag", () => {
  test.each([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ["true", true],
    ["1", true],
    ["false", false],
    ["0", false],
    ["True", true],
    ["YES", true],
    ["on", true],
    ["No", false],
    ["OFF", false],
  ])("%j is %j", (given, value) => {
    expect(flag.parse(given)).toBe(value);
  });

  test.each(["y", "", "TRU", 2, -1, 0.5, null, "enabled", " true", "2"])("is not %j", (given) => {
    expect(flag.safeParse(given).success).toBe(false);
  });
});

test.each([
  ["upload_id", NewTrackBody, { track: { title: "Night", upload_id: "none" } }, "must be an id"],
  ["upload_id", NewTrackBody, { track: { title: "Night", upload_id: -1 } }, "must be an id"],
  ["id", SharesBody, { users: [{ id: "ana" }] }, "must be an id"],
  ["season", EpisodeChangesBody, { episode: { season: 0 } }, "must be a whole number from 1 to 9999"],
  ["number", EpisodeChangesBody, { episode: { number: 10_000 } }, "must be a whole number from 1 to 9999"],
  ["transcript_url", EpisodeChangesBody, { episode: { transcript_url: 5 } }, "must be text"],
  ["owner_email", PodcastChangesBody, { podcast: { owner_email: 5 } }, "must be text"],
])("a refusal of %s says what it takes", (_field, schema, given, told) => {
  expect(schema.safeParse(given).error?.issues.map(({ message }) => message)).toEqual([told]);
});

/** Embeddings, overrides and isolates, from U+202A and from U+2066. */
const TURNING = [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];

test.each(TURNING)(
  "character %i turns no title and no name around, and marks that turn nothing stay",
  (code) => {
    const turned = `a${String.fromCodePoint(code)}b\u200Fc`;
    const { title, artist, genre, tag_list } = NewTrackBody.parse({
      track: { title: turned, artist: turned, genre: turned, tag_list: turned, upload_id: "1" },
    }).track;
    expect([title, artist, genre, tag_list]).toEqual(Array(4).fill("ab\u200Fc"));
    expect(line(9).parse(turned)).toBe("ab\u200Fc");
    expect(PodcastChangesBody.parse({ podcast: { author: turned } }).podcast.author).toBe("ab\u200Fc");
    expect(attachment(`${turned}.mp3`)).toContain("filename*=UTF-8''ab%E2%80%8Fc.mp3");
    expect(
      NewTrackBody.safeParse({ track: { title: String.fromCodePoint(code), upload_id: "1" } }).success,
    ).toBe(false);
  },
);

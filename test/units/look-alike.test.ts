import { expect, test } from "vitest";
import { NewAppBody } from "../../functions/api/apps/input.ts";
import { Username } from "../../functions/api/users/account-input.ts";
import { permalinksOf } from "../../functions/auth/accounts/permalink.ts";
import { isReservedName, namesService, usernameKeys } from "../../functions/lib/text/look-alike.ts";

/** Whether the database's unique keys collide. */
function isTaken(name: string, other: string): boolean {
  const [one, two] = [usernameKeys(name), usernameKeys(other)];
  return one.username_key === two.username_key || one.look_alike_key === two.look_alike_key;
}

test.each([
  ["Cyrillic а", "раураl", "paypal"],
  ["a capital I for l", "PaypaI", "Paypal"],
  ["a digit for l", "paypa1", "paypal"],
  ["a zero for o", "R0bert", "Robert"],
  ["r and n for m", "rnodern", "modern"],
  ["Greek letters", "Αννα", "Avva"],
  ["full width", "ａｎａ", "ana"],
  ["mathematical letters", "𝕬𝖓𝖆", "Ana"],
  ["a ligature", "ﬁle", "file"],
  ["circled letters", "Ⓐna", "ana"],
  ["accents", "Áñà", "ana"],
  ["two spellings of one accent", "A\u0301na", "Ána"],
  ["case", "ANA MARIA", "ana maria"],
  ["case, where i has a look-alike", "IAN", "ian"],
  ["ß in capitals", "STRASSE", "straße"],
  ["final sigma", "ΟΔΥΣΣΕΥΣ", "οδυσσευσ"],
  ["spaces and hyphens", "Ana-Maria", "Ana  Maria"],
  ["a tick that looks like a badge", "Adele ✓", "Adele"],
  ["a heart", "♥ Adele ♥", "Adele"],
  ["a tick that is an emoji", "Adele ✔️", "Adele"],
  ["an emoji with and without its color", "❤️❤️", "❤❤"],
  ["a keycap", "DJ 1️⃣", "DJ 1"],
  ["a circle around a letter", "A⃝na", "Ana"],
  ["accents of phonetics", "Ana\u1dc4", "Ana"],
  ["katakana and kanji", "ニ", "二"],
])("by %s, %j looks like %j", (_by, one, other) => {
  expect(isTaken(one, other)).toBe(true);
});

test.each([
  ["Ana", "Anna"],
  ["Mari", "Marl"],
  ["か", "が"],
  ["की", "का"],
  ["🎵", "🎶"],
  ["♥", "♠"],
  ["Юля", "Оля"],
  ["李", "丽"],
  ["DJ 2", "DJ 3"],
  ["❤️", "☀️"],
  ["#️⃣", "*️⃣"],
])("%j and %j are different names", (one, other) => {
  expect(isTaken(one, other)).toBe(false);
});

test.each([
  ["a soft hyphen", "an\u00ada"],
  ["a zero-width space", "an\u200ba"],
  ["a zero-width joiner", "an\u200da"],
  ["a word joiner", "an\u2060a"],
  ["a byte order mark", "an\ufeffa"],
  ["a tag character", "ana\u{e0061}"],
  ["a variation selector", "ana\ufe0f"],
  ["a Hangul filler", "ana\u3164"],
  ["a turned reading direction", "ana\u202e"],
  ["an isolate", "a\u2066na"],
  ["an Arabic letter mark", "a\u061cna"],
  ["a private character", "ana\uf8ff"],
])("a name with %s is refused for users and apps", (_with, name) => {
  const [issue] = Username.safeParse(name).error?.issues ?? [];
  expect(issue?.message).toBe("contains invisible characters");
  const app = NewAppBody.safeParse({ name, redirect_uris: ["https://a.example/cb"] });
  expect(app.error?.issues).toMatchObject([{ path: ["name"] }]);
});

test.each(["👩‍🎤 Ana", "Ana ❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 Ana", "🎵🎶"])(
  "emoji may contain characters that are invisible elsewhere: %s",
  (name) => {
    expect(Username.safeParse(name).success).toBe(true);
  },
);

test.each([
  "Admin",
  "аdmin",
  "adm1n",
  "adrnin",
  "A D M I N",
  "a.d.m.i.n",
  "Moderator",
  "rnoderator",
  "Official",
  "Root",
  "System",
  "Security",
  "Support ✓",
  "Staff",
  "Official Support Team",
  "Official Support ✓",
  "Support ✔️",
  "Soundpost",
  "SOUNDP0ST",
  "Sound Post",
  "Soundpоst",
  "Sound☀️post",
  "The Soundpost Team",
])("users cannot be called %j, as if they ran the service", (name) => {
  expect(isReservedName(name, "")).toBe(true);
});

test("operators may assign names reserved for staff", () => {
  for (const name of ["Support", "Soundpost"]) expect(Username.safeParse(name).success).toBe(true);
});

test("an app cannot ask for consent in the service's name", () => {
  const app = { name: "Soundpоst Login", redirect_uris: ["https://a.example/cb"] };
  expect(NewAppBody.safeParse(app).error?.issues).toMatchObject([
    { path: ["name"], message: "must not name this service" },
  ]);
});

test.each([
  ["Radio Ana", "Radio Ana"],
  ["rаdioana!", "Radio Ana"],
  ["RadioAnaLogin", "Radio Ana"],
  ["Tunes", "Tunes"],
  ["The Tunes Team", "Tunes"],
  ["t.u.n.e.s for Android", "Tunes"],
  ["Soundpost", "Tunes"],
  ["サウンドログイン", "サウンド"],
  ["라디오로그인", "라디오"],
  ["เข้าสู่ระบบวิทยุ", "วิทยุ"],
  ["音 Login", "音"],
])("%j names an instance that is called %j", (name, instance) => {
  expect(namesService(name, instance)).toBe(true);
});

test.each([
  ["Neptunes", "Tunes"],
  ["Midsummer", "Summer"],
  ["音楽", "音"],
  ["Radio Hana", "Radio Ana"],
  ["Ana", "Radio Ana"],
  ["Ana", ""],
])("%j does not name an instance that is called %j", (name, instance) => {
  expect(namesService(name, instance)).toBe(false);
});

test.each([
  "李小龍",
  "Юля",
  "Ελλάδα",
  "あ",
  "서울",
  "ไทย",
  "محمد",
  "Mod Squad",
  "Home Support Band",
  "Horne",
  "Posts",
])("%s is an ordinary name", (name) => {
  expect([Username.safeParse(name).success, isReservedName(name, "")]).toEqual([true, false]);
});

test.each([
  ["Ana Maria", "ana-maria", false],
  ["Юля", "yulya", true],
  ["Straße", "strasse", true],
])("%s lives at /%s; whether a spare address stands by: %s", async (name, permalink, hasSpare) => {
  const made = await permalinksOf(name);
  expect(made.permalink).toBe(permalink);
  expect(made.spare !== null).toBe(hasSpare);
  if (hasSpare) expect(made.spare).toMatch(new RegExp(`^${permalink}-[a-z0-9]{7}$`));
});

test.each([
  ["🎵🎶", /^user-[a-z0-9]{7}$/],
  ["あ", /^a-[a-z0-9]{7}$/],
  ["сетс", /^sets-[a-z0-9]{7}$/],
])("%s gets a generated address", async (name, permalink) => {
  expect((await permalinksOf(name)).permalink).toMatch(permalink);
});

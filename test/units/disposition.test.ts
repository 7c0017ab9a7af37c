import { expect, test } from "vitest";
import { attachment } from "../../functions/lib/http/files/disposition.ts";

test.each([
  ["song.wav", `attachment; filename="song.wav"; filename*=UTF-8''song.wav`],
  ["two words.mp3", `attachment; filename="two words.mp3"; filename*=UTF-8''two%20words.mp3`],
  ["Ünï.flac", `attachment; filename="_n_.flac"; filename*=UTF-8''%C3%9Cn%C3%AF.flac`],
  [
    `a"b\\c'd(e)*.ogg`,
    `attachment; filename="a_b_c'd(e)*.ogg"; filename*=UTF-8''a%22b%5Cc%27d%28e%29%2A.ogg`,
  ],
  ["../x%41.wav", `attachment; filename=".._x_41.wav"; filename*=UTF-8''..%2Fx%2541.wav`],
])("%j (X51)", (filename, header) => {
  expect(attachment(filename)).toBe(header);
});

test.each(["\r\nSet-Cookie: a=b", "a\0b", "\ud800", "\u202egpj.wav", "x".repeat(10_000), "", "\x7f"])(
  "%j cannot end the header (X51)",
  (filename) => {
    const header = attachment(filename);
    expect(header).toMatch(/^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[\w.%~!#$&+^`|-]*$/);
    expect(new Headers({ "Content-Disposition": header }).get("Content-Disposition")).toBe(header);
  },
);

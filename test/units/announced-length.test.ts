import { expect, test } from "vitest";
import { checkAnnounced } from "../../workers/transcoder/announced-length.ts";

const check = (file: Buffer) =>
  checkAnnounced(async (offset, length) => file.subarray(offset, offset + length), file.length, "wav");

const chunk = (id: string, size: number, body: Buffer) => {
  const header = Buffer.from(`${id}....`, "latin1");
  header.writeUInt32LE(size, 4);
  return Buffer.concat([header, body]);
};

const HEAD = Buffer.concat([Buffer.from("RIFF....WAVE"), chunk("fmt ", 16, Buffer.alloc(16))]);
const SOUND = Buffer.alloc(10_000, "\x81\x7e\x02");

test("a WAVE whose sound follows a chunk of odd length is corrected in the right place", async () => {
  const title = chunk("LIST", 5, Buffer.from("title\0"));
  const file = Buffer.concat([HEAD, title, chunk("data", 100, SOUND)]);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(SOUND.length);
  expect(await check(file)).toEqual({ is: "longer", corrections: [{ at: file.indexOf("data") + 4, bytes }] });
});

test("a WAVE that lacks a disk block of its sound is called shorter, and no less", async () => {
  const announcing = (size: number) => check(Buffer.concat([HEAD, chunk("data", size, SOUND)]));
  expect(await announcing(SOUND.length)).toEqual({ corrections: [] });
  expect(await announcing(SOUND.length + 4096)).toEqual({ corrections: [] });
  expect(await announcing(SOUND.length + 4097)).toEqual({ is: "shorter", corrections: [] });
});

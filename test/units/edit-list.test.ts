import { expect, test } from "vitest";
import { readInLittleMemory } from "../support/little-memory.ts";

function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + body.length);
  return Buffer.concat([size, Buffer.from(type), body]);
}

test("an index of millions of empty boxes takes little memory", () => {
  const movie = box("mvhd", Buffer.alloc(12), Buffer.from([0, 0, 3, 232]), Buffer.alloc(84));
  const media = box("mdia", box("hdlr", Buffer.alloc(8), Buffer.from("soun"), Buffer.alloc(12)));
  const empty = Buffer.alloc(60 * 1024 * 1024, box("mdia"));
  const file = box("moov", movie, box("trak", media, empty));
  expect(readInLittleMemory("workers/transcoder/edit-list.ts", "editedSeconds", file)).toBe("nothing");
});

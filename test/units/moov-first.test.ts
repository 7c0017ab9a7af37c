import { expect, test } from "vitest";
import { moovFirst } from "../../workers/transcoder/moov-first.ts";

function box(type: string, ...content: Buffer[]): Buffer {
  const head = Buffer.from(`....${type}`, "latin1");
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([head, ...content]);
}

const WIDTHS = { stco: 4, co64: 8 };

function index(table: keyof typeof WIDTHS, offsets: number[]): Buffer {
  const width = WIDTHS[table];
  const entries = Buffer.alloc(8 + offsets.length * width);
  entries.writeUInt32BE(offsets.length, 4);
  for (const [n, offset] of offsets.entries()) entries.writeUInt32BE(offset, 8 + n * width + (width - 4));
  return box("moov", box("trak", box("mdia", box("minf", box("stbl", box(table, entries))))));
}

const MARKS = ["first", "second", "third"];

test.each(Object.keys(WIDTHS) as (keyof typeof WIDTHS)[])(
  "an index that moves ahead of the sound still finds it, by %s",
  async (table) => {
    const start = [box("ftyp", Buffer.from("M4A ")), box("mdat", Buffer.from("first, second"))];
    const rest = [box("free"), box("mdat", Buffer.from("third"))];
    const draft = Buffer.concat([...start, index(table, [0, 0, 0]), ...rest]);
    const offsets = MARKS.map((mark) => draft.indexOf(mark));
    const file = Buffer.concat([...start, index(table, offsets), ...rest]);

    const readAt = async (offset: number, length: number) =>
      Buffer.from(file.subarray(offset, offset + length));
    const pieces = await moovFirst(readAt, file.length);
    const moved = Buffer.concat(
      pieces.map((piece) => ("from" in piece ? file.subarray(piece.from, piece.to) : piece)),
    );

    expect(moved).toHaveLength(file.length);
    expect(moved.indexOf("moov")).toBeLessThan(moved.indexOf("mdat"));
    const entries = moved.indexOf(table) + 12;
    for (const [n, mark] of MARKS.entries()) {
      const at = moved.readUInt32BE(entries + (n + 1) * WIDTHS[table] - 4);
      expect(moved.toString("latin1", at, at + mark.length)).toBe(mark);
    }
  },
);

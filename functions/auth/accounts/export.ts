import type { Exported } from "../../../db/queries/account-export.ts";

/** Reads a piece. `undefined` if nobody is signed in. */
type Read = (from: Exported["next"]) => Promise<Exported | undefined>;

/**
 * Exports all of a user's data as JSON. Reads and sends it in pieces of some megabytes: thousands of tracks exceed a
 * statement's time and an isolate's memory. `undefined` if nobody is signed in.
 */
export async function openExport(read: Read): Promise<ReadableStream | undefined> {
  const first = await read(null);
  if (!first) return undefined;
  const text = textOf(piecesFrom(first, read));
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await text.next();
      if (part.done) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    async cancel() {
      await text.return();
    },
  });
}

/** Fails if the session ends meanwhile, so that the download breaks off instead of looking complete. */
async function* piecesFrom(first: Exported, read: Read): AsyncGenerator<Exported, void> {
  for (let piece = first; ; ) {
    yield piece;
    if (!piece.next) return;
    const next = await read(piece.next);
    if (!next) throw new Error("The session ended during the export");
    piece = next;
  }
}

/** Joins lists that continue in the next piece. */
async function* textOf(pieces: AsyncIterable<Exported>): AsyncGenerator<string, void> {
  let list: string | undefined;
  for await (const { about, lists } of pieces) {
    let text = "";
    if (about) text += JSON.stringify(about, null, 2).slice(0, -"\n}".length);
    for (const { name, rows } of lists) {
      const continues = name === list;
      if (!continues) text += `${list === undefined ? "" : "]"},\n  ${JSON.stringify(name)}: [`;
      text += rows.map((row, place) => `${continues || place ? "," : ""}\n    ${rowOf(row)}`).join("");
      list = name;
    }
    yield text;
  }
  yield "]\n}\n";
}

/** Strings in JSON hold no newline, so every newline here ends a line. */
const rowOf = (row: object) => JSON.stringify(row, null, 2).replaceAll("\n", "\n    ");

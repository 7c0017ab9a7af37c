import { expect, test } from "vitest";
import type { Exported } from "../../db/queries/account-export.ts";
import { openExport } from "../../functions/auth/accounts/export.ts";

const list = (name: string, ...ids: number[]) => ({ name, rows: ids.map((id) => ({ id })) });
const from = (name: string, id: number) => ({ list: name, after: [id] });

const PIECES: Exported[] = [
  {
    about: { account: { email: "ana@example.com" } },
    lists: [list("tracks", 1, 2)],
    next: from("tracks", 2),
  },
  { about: null, lists: [list("tracks", 3), list("favorites")], next: from("comments", 0) },
  { about: null, lists: [list("comments", 4)], next: null },
];

/** Reads of a session that ends after so many pieces. */
const holding =
  (pieces: Exported[], asked: unknown[] = []) =>
  async (from: unknown) => {
    asked.push(from);
    return pieces[asked.length - 1];
  };

const textOf = async (read: ReturnType<typeof holding>) => new Response(await openExport(read)).text();

test("an export is one object, made of pieces", async () => {
  const asked: unknown[] = [];
  expect(JSON.parse(await textOf(holding(PIECES, asked)))).toEqual({
    account: { email: "ana@example.com" },
    tracks: [{ id: 1 }, { id: 2 }, { id: 3 }],
    favorites: [],
    comments: [{ id: 4 }],
  });
  expect(asked).toEqual([null, PIECES[0]?.next, PIECES[1]?.next]);
});

test("an export asks for a piece once the one before was read, so no account exceeds a statement or an isolate", async () => {
  const asked: unknown[] = [];
  const reader = (await openExport(holding(PIECES, asked)))?.getReader();
  await reader?.read();
  expect(asked.length).toBeLessThan(PIECES.length);
});

test("an export whose session ends meanwhile breaks off, and nobody takes it for the whole", async () => {
  await expect(textOf(holding(PIECES.slice(0, 2)))).rejects.toThrow("session ended");
});

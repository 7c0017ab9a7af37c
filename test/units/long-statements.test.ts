import { expect, test } from "vitest";
import type { Database } from "../../db/client.ts";
import type { Caller } from "../../db/queries/caller.ts";
import { stopApp } from "../../db/queries/moderation-apps.ts";
import { deletePlaylist, updatePlaylist } from "../../db/queries/own-playlists.ts";
import { deleteTrack, updateTrack } from "../../db/queries/own-tracks.ts";

/** A database that calls nothing, and notes by which limit of time it was asked. */
const noting = (noted: string[]) => {
  const noteAs = (limit: string) => async () => {
    noted.push(limit);
  };
  return { call: noteAs("usual"), callAtLength: noteAs("long") } as unknown as Database;
};

const CALLER = { sessionId: 1, clientId: "app", userId: 1 } as Caller;
const changed = (columns: Record<string, unknown>) => ({
  columns,
  ...{ trackIds: [], replaces: false, expected: null },
});
const READING = { country: undefined, held: "{}" } as unknown as Parameters<typeof updatePlaylist>[4];

const STATEMENTS: [what: string, limit: string, ask: (db: Database) => Promise<unknown>][] = [
  ["a track is deleted", "long", (db) => deleteTrack(db, CALLER, 1, null)],
  ["a track is hidden", "long", (db) => updateTrack(db, CALLER, 1, { sharing: "private" }, null)],
  ["a track is renamed", "usual", (db) => updateTrack(db, CALLER, 1, { title: "New" }, null)],
  ["a playlist is deleted", "long", (db) => deletePlaylist(db, CALLER, 1, null)],
  [
    "a playlist is hidden",
    "long",
    (db) => updatePlaylist(db, CALLER, 1, changed({ sharing: "private" }), READING, null),
  ],
  [
    "a playlist is renamed",
    "usual",
    (db) => updatePlaylist(db, CALLER, 1, changed({ title: "New" }), READING, null),
  ],
  ["an app is revoked", "long", (db) => stopApp(db, { actor: "ops" } as never, "app")],
];

test.each(STATEMENTS)(
  "%s: how long it may take follows from how many rows it may touch (%s)",
  async (_, limit, ask) => {
    const noted: string[] = [];
    await ask(noting(noted));
    expect(noted).toEqual([limit]);
  },
);

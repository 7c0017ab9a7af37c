import { Routes } from "../../lib/http/route.ts";
import { changeTracks, removeTracks } from "./bulk.ts";
import { BulkChangesBody, BulkIds, BulkReply } from "./bulk-input.ts";

/** Requests about several of the caller's tracks. */
export const bulkTracks = new Routes();

bulkTracks.put(
  "/me/tracks",
  {
    operationId: "updateTracks",
    summary: "Update several of your tracks",
    description:
      "Changes the same fields of all in one transaction. A track that cannot be changed holds up no other; the reply names it.",
    auth: "user",
    scope: "tracks",
    body: BulkChangesBody,
    replies: { 200: BulkReply },
  },
  async (c, { body }) => c.json(await changeTracks(c, body)),
);

bulkTracks.delete(
  "/me/tracks",
  {
    operationId: "deleteTracks",
    summary: "Delete several of your tracks",
    description:
      "Deletes the audio, comments and likes of all in one transaction. A track that is not yours holds up no other; the reply names it.",
    auth: "user",
    scope: "tracks",
    query: BulkIds,
    replies: { 200: BulkReply },
  },
  async (c, { query }) => c.json(await removeTracks(c, query.ids)),
);

import type { Database } from "../client.ts";
import { bytea, type Caller, callAs } from "./caller.ts";
import type { NewTrack, TrackCreation } from "./tracks.ts";

/** Checks the session before a byte is read, and lists the object's key as garbage before it is written. */
export const beginClassicUpload = (db: Database, caller: Caller, objectKey: string) =>
  callAs<Record<never, never>>(db, "begin_classic_upload", caller, objectKey);

/** An original that came through the Worker. */
export interface ReceivedOriginal {
  objectKey: string;
  filename: string;
  size: number;
  type: string;
}

/** As `createTrack`, of an object that no upload session stands for yet. */
export const createClassicTrack = (
  db: Database,
  caller: Caller,
  original: ReceivedOriginal,
  track: Omit<NewTrack, "uploadId">,
) =>
  callAs<TrackCreation>(
    db,
    "create_classic_track",
    caller,
    original.objectKey,
    original.filename,
    original.size,
    original.type,
    JSON.stringify(track.fields),
    track.permalink,
    bytea(track.secretHash),
    bytea(track.secretSealed),
  );

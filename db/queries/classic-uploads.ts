import * as z from "zod";
import type { Database } from "../client.ts";
import type { ReplyOf } from "../shape.ts";
import { type Caller, callAs } from "./caller.ts";
import { type NewTrack, TrackCreation } from "./tracks.ts";
import { QuotaRefusal } from "./uploads.ts";

/** The quota's room for a file. Null is no limit. */
export const Room = () =>
  z.strictObject({
    /** Set if it takes no file at all. */
    refusal: QuotaRefusal().nullable(),
    most_bytes: z.number().nullable(),
    bytes_left: z.number().nullable(),
  });
export type Room = ReplyOf<typeof Room>;

/** Checks the session before the body is read. Lists the key as garbage before the object is written. */
export const beginClassicUpload = (db: Database, caller: Caller, objectKey: string) =>
  callAs(db, "begin_classic_upload", Room, caller, { object_key: objectKey });

/** An original uploaded through the Worker. */
export interface ReceivedOriginal {
  objectKey: string;
  filename: string;
  size: number;
  type: string;
}

/** Creates a track from an object that has no upload session yet. */
export const createClassicTrack = (
  db: Database,
  caller: Caller,
  original: ReceivedOriginal,
  track: Omit<NewTrack, "uploadId">,
) =>
  callAs(db, "create_classic_track", TrackCreation, caller, {
    object_key: original.objectKey,
    filename: original.filename,
    size: original.size,
    type: original.type,
    track: track.fields,
    permalink: track.permalink,
    secret_hash: track.secretHash,
    secret_sealed: track.secretSealed,
  });

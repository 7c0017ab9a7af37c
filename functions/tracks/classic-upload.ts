import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { createClassicTrack, type ReceivedOriginal } from "../../db/queries/classic-uploads.ts";
import { documented, validate } from "../http/contract.ts";
import type { UserEnv } from "../http/env.ts";
import { isMultipart } from "../http/multipart.ts";
import { receiveClassic } from "../uploads/classic.ts";
import { MAX_UPLOAD_BYTES } from "../uploads/limits.ts";
import { acceptTrack } from "./create.ts";
import { NewTrackBody } from "./input.ts";
import { asTrack } from "./represent.ts";

const Fields = NewTrackBody.shape.track.omit({ upload_id: true, asset_data: true });

const isReceived = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "objectKey" in value;

const ClassicTrack = z.object({
  track: Fields.extend({
    asset_data: z
      .custom<ReceivedOriginal>(isReceived, "must be a file")
      .meta({ type: "string", format: "binary", maxLength: MAX_UPLOAD_BYTES, description: "The audio." }),
  }),
});

/** What may be told to be wrong while more is to come. */
const SoFar = z.object({ track: Fields.partial().optional() });

/** `POST /tracks` as a multipart form with the audio in it. Other bodies are the next handler's. */
export const classicUpload = documented(
  createMiddleware<UserEnv>(async (c, next) => {
    if (!isMultipart(c.req.raw)) return next();
    const expected = {
      original: "track[asset_data]",
      files: new Map(),
      check: (form: object) => void validate(SoFar, form),
      parse: (form: object) => validate(ClassicTrack, form).track,
    };
    const uploaded = receiveClassic(c, expected, ({ asset_data, ...fields }) =>
      acceptTrack(c, fields, (track) => createClassicTrack(c.var.db, c.var.viewer, asset_data, track)),
    );
    // A client that hangs up ends the request, but not the tidying up.
    c.executionCtx.waitUntil(uploaded.catch(() => {}));
    const made = await uploaded;
    if (made instanceof Response) return made;
    const track = asTrack(c.env, made);
    return c.json(track, 201, { Location: track.uri });
  }),
  { form: ClassicTrack },
);

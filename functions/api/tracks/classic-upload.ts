import type { Context } from "hono";
import * as z from "zod";
import { createClassicTrack, type ReceivedOriginal } from "../../../db/queries/classic-uploads.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { noteUnknownFields } from "../../lib/http/ignored.ts";
import { validate } from "../../lib/http/validate.ts";
import { about } from "../../lib/text/fields.ts";
import { imageFile } from "../images/input.ts";
import { MAX_IMAGE_BYTES } from "../images/limits.ts";
import { storeArtworkField } from "../images/store.ts";
import { receiveClassic } from "../uploads/classic.ts";
import { MAX_UPLOAD_BYTES } from "../uploads/limits.ts";
import { Id, NewTrackBody } from "./input.ts";
import { representTrack } from "./representation.ts";
import { acceptTrack, createTrackFromUpload } from "./write.ts";

const ARTWORK = "track[artwork_data]";

const Fields = NewTrackBody.shape.track
  .omit({ upload_id: true, asset_data: true })
  .extend({ artwork_data: imageFile.optional() });

const isReceived = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "objectKey" in value;

const Original = z.custom<ReceivedOriginal>(isReceived, "must be a file, with a file name").meta({
  type: "string",
  format: "binary",
  maxLength: MAX_UPLOAD_BYTES,
  description: "The audio.",
  example: "(bytes)",
});

const UploadId = Id.meta(about("An upload session that is `ready`.", 338914811904200));

/** The audio is in the form or in an earlier upload session; such a form can add a picture. */
export const ClassicTrack = z.object({
  track: Fields.extend({ asset_data: Original.optional(), upload_id: UploadId.optional() }).transform(
    ({ asset_data, upload_id, ...fields }, context) => {
      if (asset_data && upload_id !== undefined)
        context.addIssue({
          code: "custom",
          path: ["upload_id"],
          message: "cannot be sent together with a file",
        });
      const original = asset_data ?? upload_id;
      if (original !== undefined) return { ...fields, original };
      context.addIssue({ code: "custom", path: ["asset_data"], message: "must be a file, with a file name" });
      return z.NEVER;
    },
  ),
});

/** Fields that can be validated before the form is complete. */
const SoFar = z.object({ track: Fields.partial().optional() });

/** Reads the form as it arrives, with fields before or after the file. */
export async function createTrackFromForm(c: Context<UserEnv>): Promise<Response> {
  const expected = {
    original: "track[asset_data]",
    files: new Map([[ARTWORK, MAX_IMAGE_BYTES]]),
    check: (form: object) => void validate(SoFar, form),
    parse(form: object) {
      noteUnknownFields(c, ClassicTrack, form);
      return validate(ClassicTrack, form).track;
    },
  };
  const uploaded = receiveClassic(c, expected, async ({ original, artwork_data, ...fields }) => {
    const shown = { ...fields, ...(await storeArtworkField(c, ARTWORK, artwork_data)) };
    if (typeof original === "number") return createTrackFromUpload(c, { ...shown, upload_id: original });
    return acceptTrack(c, "track[asset_data]", shown, (track) =>
      createClassicTrack(c.var.db, c.var.viewer, original, track),
    );
  });
  // Cleans up even if the client hangs up.
  c.executionCtx.waitUntil(uploaded.catch(() => {}));
  const created = await uploaded;
  const track = representTrack(c.env, created);
  return c.json(track, 201, { Location: track.uri });
}

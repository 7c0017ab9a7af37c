import { file } from "../../lib/http/body/form-fields.ts";
import { MAX_IMAGE_BYTES, obviousFault } from "./limits.ts";

const bytesAndKind = file(MAX_IMAGE_BYTES);

const DESCRIPTION =
  "JPEG, PNG or GIF of at most 10 MiB, 40 megapixels and 10,000 pixels per side. An animation shows its first frame.";

/** A file of a multipart form. Its type is read from its content. */
export const imageFile = bytesAndKind
  .superRefine(({ bytes }, context) => {
    const fault = obviousFault(bytes);
    if (fault !== undefined) context.addIssue(fault);
  })
  .meta({ ...bytesAndKind.meta(), description: DESCRIPTION });

/** The same in a form, or JSON's null, which removes the picture. Forms find their file fields by the format. */
export const clearableImage = imageFile.nullable().meta({
  format: "binary",
  maxLength: MAX_IMAGE_BYTES,
  description: `${DESCRIPTION} Null, in JSON, removes it.`,
  example: "(bytes)",
});

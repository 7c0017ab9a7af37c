import { file } from "../http/form-fields.ts";
import { MAX_IMAGE_BYTES } from "./limits.ts";

/** Of a multipart form. What it is, its content tells. */
export const imageFile = file(MAX_IMAGE_BYTES).describe(
  "JPEG, PNG or GIF, of 10 MiB, 40 megapixels and 10,000 pixels a side at most. Of a moving one the first frame is shown.",
);

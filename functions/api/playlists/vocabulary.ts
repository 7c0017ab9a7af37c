import { oneOf } from "../../lib/text/fields.ts";

export const PlaylistType = oneOf([
  "ep single",
  "album",
  "compilation",
  "project files",
  "archive",
  "showcase",
  "demo",
  "sample pack",
  "other",
]);

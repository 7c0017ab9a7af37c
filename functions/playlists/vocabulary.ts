import * as z from "zod";

export const PlaylistType = z.enum([
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

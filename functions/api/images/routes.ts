import type { Context } from "hono";
import * as z from "zod";
import { imagePrefix } from "../../../db/objects/keys.ts";
import { openStorage } from "../../../db/objects/open.ts";
import type { AppEnv } from "../../lib/http/env.ts";
import { notFound } from "../../lib/http/errors.ts";
import { dropCached } from "../../lib/http/files/edge-cache.ts";
import { serveObject } from "../../lib/http/files/stored-file.ts";
import { Routes } from "../../lib/http/route.ts";
import { drawCover, svgOf } from "../../lib/pictures/cover.ts";
import { pngOf } from "../../lib/pictures/cover-png.ts";
import { sideOf } from "../../lib/pictures/formats.ts";
import { assetUrl } from "../../ui/assets.ts";
import { isClosed } from "./closed-pictures.ts";
import { FORMATS } from "./formats.ts";
import { DEFAULT_AVATAR } from "./links.ts";

/** The colours are there for whoever shows the picture; they choose no file. */
const STORED = /^(avatar-default|[0-9a-f]{32})(?:-[0-9a-f]{18})?-([0-9a-z]{1,20})\.(jpg|webp)$/;
const PATTERN = /^pattern-([1-9][0-9]{0,15})(?:\.svg|-([0-9a-z]{1,20})\.png)$/;

const ImageFile = z.object({
  file: z
    .string()
    .regex(new RegExp(`${STORED.source}|${PATTERN.source}`))
    .describe(
      "The end of `avatar_url`, `artwork_url` or a chapter's `img`. `large` may be replaced with another format's name. Artwork whose address also names three colours has `t640x640.webp` and `t1000x1000.webp`, too. Chapters' pictures have `t1000x1000` and `large`. `pattern-{id}.svg` is drawn from the id alone, for what has no picture; `pattern-{id}-large.png` is the same for programs.",
    ),
});

/** Versions are never overwritten. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Seconds in a data centre's cache, and thus until a deleted picture disappears. */
const CACHED_FOR_S = 3_600;

/** Pictures of users and tracks. Addresses cannot be guessed, so each is its own permission. */
export const images = new Routes();

images.get(
  "/images/:file",
  {
    operationId: "getImage",
    summary: "Get an avatar, an artwork or a chapter's picture in one format",
    description:
      "The address never changes its content, so caches may keep it for a year. 404 within a minute after its owner replaced or removed it, or an operator took the track down or suspended the user.",
    tag: "media",
    auth: "page",
    params: ImageFile,
    replies: {
      200: "image/jpeg, image/webp, image/png, image/svg+xml",
      206: "image/jpeg, image/webp",
      304: "",
    },
    errors: { 416: "The range lies outside the picture." },
  },
  (c, { params }) => sendImage(c, params.file),
);

async function sendImage(c: Context<AppEnv>, file: string): Promise<Response> {
  const [, id, png] = PATTERN.exec(file) ?? [];
  if (id !== undefined) return sendPattern(Number(id), png);
  const [, version = "", format = "", type = ""] = STORED.exec(file) ?? [];
  if (version === DEFAULT_AVATAR) return defaultAvatar(c, format);
  const key = `${imagePrefix(version)}${format}.${type}`;
  if (await isClosed(c.var.db, version)) {
    // The object may be deleted before its cached copy.
    dropCached(c, key);
    return notFound("Picture");
  }
  return serveObject(c, openStorage(c.env).objects, {
    key,
    contentType: type === "webp" ? "image/webp" : "image/jpeg",
    cacheControl: IMMUTABLE,
    cachedForS: CACHED_FOR_S,
  });
}

/** Another release may draw it differently, so caches keep it for a week only. */
function sendPattern(id: number, format: string | undefined): Response {
  const drawing = drawCover(id);
  const image = format ? pngOf(drawing, sideOf(format) ?? notFound("Picture")) : svgOf(drawing);
  return new Response(image as BodyInit, {
    headers: {
      "Content-Type": format ? "image/png" : "image/svg+xml",
      "Cache-Control": "public, max-age=604800",
    },
  });
}

/** The default avatar, in one of the avatar formats. */
async function defaultAvatar({ env }: Context<AppEnv>, format: string): Promise<Response> {
  if (!Object.hasOwn(FORMATS.avatar, format)) return notFound("Picture");
  const file = await env.ASSETS.fetch(assetUrl(env, `${DEFAULT_AVATAR}-${format}.jpg`));
  if (!file.ok) throw new Error(`The default avatar ${format} is not among the static files: ${file.status}`);
  return new Response(file.body as ReadableStream, {
    headers: { "Content-Type": "image/jpeg", "Cache-Control": "public, max-age=86400" },
  });
}

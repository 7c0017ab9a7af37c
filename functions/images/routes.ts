import { Hono } from "hono";
import * as z from "zod";
import { imagePrefix } from "../../db/objects/keys.ts";
import { openStorage } from "../../db/objects/open.ts";
import { operation, param } from "../http/contract.ts";
import type { AppEnv } from "../http/env.ts";
import { ErrorBody, notFound } from "../http/errors.ts";
import { serveObject } from "../media/files.ts";
import { defaultAvatar } from "./default-avatar.ts";
import { DEFAULT_AVATAR } from "./links.ts";

const FILE = /^(avatar-default|[0-9a-f]{32})-([0-9a-z]{1,20})\.jpg$/;

const ImageFile = z.object({
  file: z
    .string()
    .regex(FILE)
    .describe("As `avatar_url` and `artwork_url` end; `large` may be replaced by another format's name."),
});

/** A version is never written twice. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** Pictures of people and tracks. Who knows the address may see it; nobody guesses it. */
export const images = new Hono<AppEnv>();

images.get(
  "/:file",
  operation(
    "An avatar or an artwork in one format",
    { 200: "image/jpeg", 206: "image/jpeg", 304: "", 404: ErrorBody, 416: ErrorBody },
    { tags: ["media"] },
  ),
  param(ImageFile),
  async (c) => {
    const [, version = "", format = ""] = FILE.exec(c.req.valid("param").file) ?? [];
    if (version === DEFAULT_AVATAR) return defaultAvatar(format) ?? notFound("Picture");
    const validators = { ETag: `"${version}-${format}"`, "Cache-Control": IMMUTABLE };
    if (isKnown(c.req.header("If-None-Match"), validators.ETag)) return c.body(null, 304, validators);
    const reply = await serveObject(c, openStorage(c.env).objects, `${imagePrefix(version)}${format}.jpg`, {
      contentType: "image/jpeg",
      cacheControl: IMMUTABLE,
    });
    reply.headers.set("ETag", validators.ETag);
    return reply;
  },
);

/** RFC 9110 §13.1.2: compared weakly. */
const isKnown = (given: string | undefined, etag: string): boolean =>
  (given ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === etag);

import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { imagePrefix } from "../../../db/objects/keys.ts";
import { openStorage } from "../../../db/objects/open.ts";
import { listImage } from "../../../db/queries/images.ts";
import type { Env, UserEnv } from "../../lib/http/env.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { ImageKind } from "./formats.ts";
import { obviousFault } from "./limits.ts";
import type { Artwork } from "./links.ts";
import { renderFormats } from "./render.ts";

/** A version for the row to show, or the picture's fault as a text that follows the field's name. */
type Stored = { version: string; colors: string | null } | { refused: string };

/** Unguessable, because the address alone protects a private track's picture. Hexadecimal never spells `large`. */
const newVersion = () => randomBytes(16).toString("hex");

/**
 * Renders and stores all formats of a picture. `list` first marks the prefix as garbage and returns the id of the
 * picture's owner; the statement that shows the version unmarks it. It fails if the session has ended.
 */
export async function storeImage(
  env: Env,
  kind: ImageKind,
  original: Uint8Array,
  list: (prefix: string) => Promise<string>,
  version: string = newVersion(),
): Promise<Stored> {
  const fault = obviousFault(original);
  if (fault !== undefined) return { refused: fault };
  const prefix = imagePrefix(version);
  const owner = await list(prefix);
  const rendering = await renderFormats(env, kind, original, owner);
  if ("refused" in rendering) return rendering;
  const { objects } = openStorage(env);
  await Promise.all(
    rendering.files.map(({ name, contentType, bytes }) =>
      objects.put("media", `${prefix}${name}`, {
        size: bytes.byteLength,
        contentType,
        stream: new Blob([bytes]).stream(),
      }),
    ),
  );
  return { version, colors: rendering.colors };
}

/** Returns the version to show, or throws 422 with the field's name. */
export const storeAvatarField = async (c: Context<UserEnv>, field: string, original: Uint8Array) =>
  (await storeField(c, "avatar", field, original)).version;

/** Returns the columns of a track or a set for a sent picture. Null removes the picture; an omitted one stays. */
export async function storeArtworkField(
  c: Context<UserEnv>,
  field: string,
  sent: { bytes: Uint8Array } | null | undefined,
): Promise<Partial<Artwork>> {
  if (sent === undefined) return {};
  if (sent === null) return { artwork_version: null, artwork_colors: null };
  const { version, colors } = await storeField(c, "artwork", field, sent.bytes);
  return { artwork_version: version, artwork_colors: colors };
}

async function storeField(c: Context<UserEnv>, kind: ImageKind, field: string, original: Uint8Array) {
  const list = (prefix: string) => listImage(c.var.db, c.var.viewer, prefix);
  const stored = await storeImage(c.env, kind, original, list);
  return "version" in stored ? stored : invalid(`${field}: ${stored.refused}`);
}

import type { Database } from "../../../db/client.ts";
import {
  coverSet,
  findCoverless,
  forgetCover,
  listImportedPicture,
} from "../../../db/queries/import-turns.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { Env } from "../../lib/http/env.ts";
import { MAX_IMAGE_BYTES } from "../images/limits.ts";
import { storeImage } from "../images/store.ts";
import type { Show } from "./feed.ts";
import { FetchFailure, fetchPublic, readLimited, requireStatus } from "./public-fetch.ts";

/** Milliseconds for a picture. */
const PICTURE_MS = 30_000;

interface Picture {
  artwork_version: string;
  artwork_colors: string | null;
}

/** Stores a picture of a feed. `undefined` if its address holds none: the episode comes without. Throws if we cannot draw now. */
export async function storePicture(
  db: Database,
  env: Env,
  owner: number,
  url: string,
): Promise<Picture | undefined> {
  try {
    const reply = await fetchPublic(env, url, {
      headers: { Accept: "image/jpeg, image/png, image/gif" },
      signal: AbortSignal.timeout(PICTURE_MS),
    });
    await requireStatus(reply, 200);
    const bytes = await readLimited(reply, MAX_IMAGE_BYTES);
    const stored = await storeImage(env, "artwork", bytes, (prefix) =>
      listImportedPicture(db, owner, prefix),
    );
    return "version" in stored
      ? { artwork_version: stored.version, artwork_colors: stored.colors }
      : undefined;
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    if (error instanceof HttpError) throw new FetchFailure("pictures_unavailable");
    throw error;
  }
}

/** Gives the set the podcast's picture while it has none. */
export async function storeCover(db: Database, env: Env, importId: number): Promise<void> {
  const found = await findCoverless(db, importId);
  const url = (found?.show as Show | undefined)?.image_url;
  if (!found || !url) return;
  const picture = await storePicture(db, env, found.owner, url);
  if (picture) await coverSet(db, found.set, picture.artwork_version, picture.artwork_colors);
  else await forgetCover(db, importId);
}

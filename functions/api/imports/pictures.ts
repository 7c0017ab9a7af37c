import type { Database } from "../../../db/client.ts";
import {
  findCoverless,
  listImportedPicture,
  noteCover,
  showCover,
} from "../../../db/queries/import-covers.ts";
import type { Chapter } from "../../../db/schema/podcasts.ts";
import { HttpError } from "../../lib/errors/http-error.ts";
import type { Env } from "../../lib/http/env.ts";
import type { ImageKind } from "../images/formats.ts";
import { MAX_IMAGE_BYTES } from "../images/limits.ts";
import { storeImage } from "../images/store.ts";
import { FetchFailure, fetchPublic, readLimited, requireStatus } from "./public-fetch.ts";

/** Milliseconds for a picture. */
const PICTURE_MS = 30_000;

interface Picture {
  artwork_version: string;
  artwork_colors: string | null;
}

/**
 * Limit of chapter pictures to fetch for an episode, and the milliseconds for all of them. The others stay where they
 * are.
 */
const MAX_PICTURES = 100;
const PICTURES_MS = 3 * 60_000;

/**
 * Stores a picture of a feed. Returns `undefined` if its address has none. Throws if pictures cannot be rendered now.
 */
export async function storePicture(
  db: Database,
  env: Env,
  owner: number,
  url: string,
  kind: ImageKind = "artwork",
): Promise<Picture | undefined> {
  try {
    const reply = await fetchPublic(env, url, {
      headers: { Accept: "image/jpeg, image/png, image/gif" },
      signal: AbortSignal.timeout(PICTURE_MS),
    });
    await requireStatus(reply, 200);
    const bytes = await readLimited(reply, MAX_IMAGE_BYTES);
    const stored = await storeImage(env, kind, bytes, (prefix) => listImportedPicture(db, owner, prefix));
    return "version" in stored
      ? { artwork_version: stored.version, artwork_colors: stored.colors }
      : undefined;
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    if (error instanceof HttpError) throw new FetchFailure("pictures_unavailable");
    throw error;
  }
}

/**
 * Stores the pictures of an episode's chapters, one after another to spare their server. Calls `renew` before each. A
 * picture that is not fetched stays an address.
 */
export async function storeChapterPictures(
  db: Database,
  env: Env,
  owner: number,
  chapters: Chapter[],
  renew: () => Promise<void>,
): Promise<Chapter[]> {
  const endMs = Date.now() + PICTURES_MS;
  const addresses = new Set(chapters.flatMap(({ img }) => img ?? []));
  const stored = new Map<string, string>();
  for (const url of [...addresses].slice(0, MAX_PICTURES)) {
    if (Date.now() > endMs) break;
    await renew();
    const picture = await storePicture(db, env, owner, url, "chapter");
    if (picture) stored.set(url, picture.artwork_version);
  }
  return chapters.map(({ img, ...chapter }) => {
    const picture = img && stored.get(img);
    return { ...chapter, ...(picture ? { picture } : img && { img }) };
  });
}

/** Gives the set the podcast's picture if it has none. */
export async function storeCover(db: Database, env: Env, importId: number): Promise<void> {
  const found = await findCoverless(db, importId);
  const url = found?.show.image_url;
  if (!url) return;
  const picture = await storePicture(db, env, found.owner, url);
  if (picture) await showCover(db, found.set, picture.artwork_version, picture.artwork_colors);
  await noteCover(db, importId);
}

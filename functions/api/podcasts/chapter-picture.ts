import type { SQL } from "drizzle-orm";
import type { Context } from "hono";
import { type FoundChapters, writeChapterPicture } from "../../../db/queries/chapters.ts";
import { listImage } from "../../../db/queries/images.ts";
import type { UserEnv } from "../../lib/http/env.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { storeImage } from "../images/store.ts";
import { REFUSALS } from "../tracks/errors.ts";

interface GivenPicture {
  /** Null removes it. */
  picture_data: { bytes: Uint8Array } | null;
}

/** Stores the picture of a chapter and returns the track's chapters, or throws what is wrong. */
export async function changeChapterPicture(
  c: Context<UserEnv>,
  which: SQL,
  start: number,
  { picture_data }: GivenPicture,
): Promise<FoundChapters> {
  const { db, viewer } = c.var;
  const version = picture_data && (await storePicture(c, picture_data.bytes));
  const found = (await writeChapterPicture(db, viewer, which, start, version)) ?? notFound("Track");
  if (!found.is_own) REFUSALS.not_yours();
  const isThere = found.stored?.chapters.some((chapter) => chapter.start === start);
  return isThere ? found : notFound("Chapter");
}

async function storePicture(c: Context<UserEnv>, original: Uint8Array) {
  const list = (prefix: string) => listImage(c.var.db, c.var.viewer, prefix);
  const stored = await storeImage(c.env, "chapter", original, list);
  return "version" in stored ? stored.version : invalid(`chapter[picture_data]: ${stored.refused}`);
}

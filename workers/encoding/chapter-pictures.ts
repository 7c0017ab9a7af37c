import { createHash } from "node:crypto";
import type { Database } from "../../db/client.ts";
import { imagePrefix } from "../../db/objects/keys.ts";
import { admitPicture } from "../../db/queries/jobs.ts";
import { MAX_IMAGE_BYTES } from "../../functions/api/images/limits.ts";
import { storeImage } from "../../functions/api/images/store.ts";
import type { Env } from "../../functions/lib/http/env.ts";
import type { Ticket } from "./ticket.ts";

/** Pictures of an encode, so that the holder of a ticket cannot fill the bucket. The transcoder has the same limit. */
export const MOST_PICTURES = 100;

/** Names the picture by its attempt's ticket, which is secret and signed. A repeated PUT thus meets the same name. */
export const pictureVersion = (signedTicket: string, number: number): string =>
  createHash("sha256").update(`picture ${number} of ${signedTicket}`).digest("hex").slice(0, 32);

/** Renders and stores a picture of a file's chapter. It is garbage unless the attempt finishes and its track shows it. */
export async function storeChapterPicture(
  db: Database,
  env: Env,
  { track, lease }: Ticket,
  version: string,
  request: Request,
): Promise<"stored" | "refused" | "lease_lost"> {
  const size = Number(request.headers.get("Content-Length") ?? Number.NaN);
  if (!(size > 0 && size <= MAX_IMAGE_BYTES)) return "refused";
  const owner = await admitPicture(db, track, lease, imagePrefix(version));
  if (owner === undefined) return "lease_lost";
  const original = new Uint8Array(await request.arrayBuffer());
  const stored = await storeImage(env, "chapter", original, async () => owner, version);
  return "version" in stored ? "stored" : "refused";
}

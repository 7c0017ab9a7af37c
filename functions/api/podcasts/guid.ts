import { createHash } from "node:crypto";

/** The namespace of feeds: https://podcasting2.org/docs/podcast-namespace/tags/guid */
const NAMESPACE = Buffer.from("ead4c236bf5858c6a2c6a6b28d128cb6", "hex");

/** The GUID of a feed: the stored one, else a new one, which whoever shows it stores. */
export const guidOf = (given: string | null, feed: string): string => given ?? podcastGuid(feed);

/** Makes a podcast's GUID, a UUID of version 5, from its feed's URL without the scheme. */
function podcastGuid(feed: string): string {
  const name = feed.replace(/^\w+:\/\//, "").replace(/\/+$/, "");
  const digest = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePackage, succeeds } from "./debian.ts";

/** The schema of documents, which Perl's validator would fetch. Redocly checks the document in its place. */
const META_SCHEMA = "https://spec.openapis.org/oas/3.1/schema/2021-05-20";

/** Debian's generator of Perl clients. */
export const requirePerlClient = () =>
  requirePackage("libopenapi-client-perl", {
    purpose: "Perl's OpenAPI::Client",
    isInstalled: () => succeeds("perl", "-MOpenAPI::Client", "-e", "1"),
  });

/** Fills a directory as the validator's cache, so that it needs no network. Returns its environment. */
export function perlEnvironment(directory: string): NodeJS.ProcessEnv {
  const cache = join(directory, "perl");
  mkdirSync(cache);
  const name = createHash("md5").update(META_SCHEMA).digest("hex");
  writeFileSync(join(cache, name), JSON.stringify({ $id: META_SCHEMA, type: "object" }));
  return { ...process.env, JSON_VALIDATOR_CACHE_PATH: cache, MOJO_NO_IPV6: "1" };
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assetsVersion, buildAssets } from "./static-assets.ts";

/** The build of wrangler.toml: lays out the static files that go up with a Worker, which learns their version. */

const PROJECT_DIR = join(import.meta.dirname, "../..");
const ASSETS = join(PROJECT_DIR, ".wrangler/assets");

buildAssets(PROJECT_DIR, ASSETS);
writeFileSync(`${ASSETS}-version.txt`, assetsVersion(ASSETS));

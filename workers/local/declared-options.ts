import { writeFileSync } from "node:fs";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

/** Run by the build: writes what wrangler.toml declares, in Miniflare's terms. wrangler in our own process costs 150 MB. */
const [config = "", output = ""] = process.argv.slice(2);
writeFileSync(output, JSON.stringify(unstable_getMiniflareWorkerOptions(config).workerOptions));

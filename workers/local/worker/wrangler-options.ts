import { writeFileSync } from "node:fs";
import { unstable_getMiniflareWorkerOptions } from "wrangler";

/** The build runs this as its own process: wrangler's parser would cost ours 150 MB of memory. */
const [config = "", output = ""] = process.argv.slice(2);
writeFileSync(output, JSON.stringify(unstable_getMiniflareWorkerOptions(config).workerOptions));

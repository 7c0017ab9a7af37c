import { findFfmpeg, killAllFfmpeg } from "./ffmpeg.ts";
import { createJobs } from "./jobs.ts";
import { log } from "./logging.ts";
import { createTranscoderServer } from "./server.ts";

const ffmpeg = await findFfmpeg();
const jobs = createJobs(ffmpeg);
const server = createTranscoderServer(jobs, ffmpeg, process.env.TRANSCODER_SECRET || undefined);

process.on("exit", killAllFfmpeg);

let isStopping = false;

/** PID 1 ignores SIGTERM unless a handler exists. */
async function stop(why: string): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log("stopping", { why, jobs: jobs.count() });
  server.close();
  await jobs.shutDown();
  process.exit(0);
}

process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
if (process.env.EXIT_WITH_PARENT === "1")
  process.stdin
    .on("close", () => stop("parent gone"))
    .on("error", () => stop("parent gone"))
    .resume();

server.listen(Number(process.env.PORT ?? 0), process.env.HOST ?? "0.0.0.0", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.stdout.write(`${JSON.stringify({ event: "listening", port, ffmpeg })}\n`);
});

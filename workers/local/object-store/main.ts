import { mkdirSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { openBlobs } from "./blobs.ts";
import { knowsFile, openCatalog } from "./catalog.ts";
import { type Config, readConfig } from "./config.ts";
import { createFaults } from "./faults.ts";
import { listenOn } from "./listen.ts";
import { hasRoom, roomIn } from "./room.ts";
import { createObjectServer } from "./server.ts";
import { forgetUpload, uploadsOlderThan } from "./stored-uploads.ts";

/** Milliseconds. R2's default lifecycle aborts unfinished uploads after seven days. */
const MAX_UPLOAD_AGE_MS = 7 * 24 * 60 * 60 * 1000;

const config = orExit(() => readConfig(process.env));
const catalog = orExit(() => openFolder(config));
const blobs = openBlobs(join(config.directory, "blobs"), () => roomIn(config.roomIn));
unlessFull("unfinished uploads stay", forgetOldUploads);
blobs.sweep((file) => knowsFile(catalog, file));

const faults = config.hasFaults ? createFaults() : undefined;
const listeners = await listenOn(config.hosts, config.port, () =>
  createObjectServer({ catalog, blobs, hasRoom: () => hasRoom(config.roomIn) }, config, faults),
);
console.log(JSON.stringify({ event: "listening", port: listeners.port }));

// A backup asks for a copy of the catalog, which nobody else may open.
process.on("SIGUSR2", () => unlessFull("no copy of the catalog", catalog.copy));
process.once("SIGTERM", stop).once("SIGINT", stop);
if (config.exitsWithParent) process.stdin.once("end", stop).once("close", stop).resume();

/** Interrupted uploads leave only bytes outside the catalog, which the next start sweeps. */
async function stop() {
  await listeners.close();
  catalog.close();
  process.exit(0);
}

function forgetOldUploads() {
  for (const { id } of uploadsOlderThan(catalog, Date.now() - MAX_UPLOAD_AGE_MS)) forgetUpload(catalog, id);
}

/** A full disk must not end the store, which still serves what it has. */
function unlessFull(otherwise: string, work: () => void) {
  try {
    work();
  } catch (error) {
    console.error(`object store: ${otherwise}`, error);
  }
}

function openFolder({ directory }: Config) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    return openCatalog(directory);
  } catch (error) {
    throw /database is locked/.test(String(error))
      ? new Error(`another server has the folder ${directory}`)
      : error;
  }
}

function orExit<Result>(start: () => Result): Result {
  try {
    return start();
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    console.error(`object store: ${reason}`);
    process.exit(1);
  }
}

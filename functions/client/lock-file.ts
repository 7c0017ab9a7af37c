import { open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between checks of another process's lock. */
const POLL_MS = 50;
/** Milliseconds without a touch after which the holder, on another machine, counts as dead. */
const STALE_MS = 120_000;
/** Milliseconds between touches. A refresh may wait minutes for its service. */
const TOUCH_MS = 20_000;

/** Runs `work` while this process holds the lock file. */
export async function withLockFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  while (!(await tryLock(path))) {
    if (await isAbandoned(path)) await breakLock(path);
    else await sleep(POLL_MS);
  }
  const touching = setInterval(() => void touch(path), TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(path, { force: true });
  }
}

const touch = (path: string): Promise<void> => utimes(path, new Date(), new Date()).catch(() => {});

/** The file system lets only one create it. */
async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx", 0o600);
    await file.writeFile(`${hostname()} ${process.pid}`);
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const age = Date.now() - (await stat(path)).mtimeMs;
    const [host, pid] = (await readFile(path, "utf8")).split(" ");
    return age > STALE_MS || (host === hostname() && !isAlive(Number(pid)));
  } catch {
    // The holder has just removed it.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Takes a second lock, so that nobody removes the file of the process that replaced the abandoned one. */
async function breakLock(path: string): Promise<void> {
  const second = `${path}.break`;
  if (await tryLock(second)) {
    if (await isAbandoned(path)) await rm(path, { force: true });
    await rm(second, { force: true });
  } else {
    if (await isAbandoned(second)) await rm(second, { force: true });
    await sleep(POLL_MS);
  }
}

const codeOf = (error: unknown) => (error as { code?: string }).code;

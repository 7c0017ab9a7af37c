import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { serverAccount } from "../local/postgres/account.ts";
import { databaseDir } from "../local/postgres/location.ts";
import { lockDataDir } from "../local/stack/record.ts";
import { type Invocation, UsageError } from "./arguments.ts";

/** Data that cannot be recreated. Logs, the built Worker and stack.json can. */
const CONTENTS = ["objects", "mail", "secrets.json", "demo.json"];
const DATABASE = "postgres";
const MANIFEST = "manifest.json";

interface Manifest {
  made_at: string;
  /** SHA-256 in hexadecimal, by path. */
  files: Record<string, string>;
}

const dataDirOf = () => resolve(process.env.DATA_DIR ?? ".data");

/** Commands on the files of a stopped local stack. Deployed databases and buckets have their own backups. */
export const fileCommands: Record<string, (given: Invocation) => Promise<Record<string, unknown>>> = {
  async backup(given) {
    const [dataDir, to] = [dataDirOf(), resolve(given.required("to"))];
    refuseEnvironment(given);
    if (!existsSync(join(dataDir, "secrets.json"))) throw new UsageError(`No stack has run on ${dataDir}`);
    requireEmpty(to, "--to");
    return whileStopped(dataDir, async () => {
      mkdirSync(to, { recursive: true, mode: 0o711 });
      for (const name of CONTENTS)
        if (existsSync(join(dataDir, name))) copy(join(dataDir, name), join(to, name));
      copy(realpathSync(join(dataDir, DATABASE)), join(to, DATABASE));
      const files = await checksumsIn(to);
      const manifest: Manifest = { made_at: new Date().toISOString(), files };
      writeFileSync(join(to, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
      return { backup: to, made_at: manifest.made_at, files: Object.keys(files).length };
    });
  },

  async restore(given) {
    const [dataDir, from] = [dataDirOf(), resolve(given.required("from"))];
    refuseEnvironment(given);
    if (!existsSync(join(from, MANIFEST)))
      throw new UsageError(`${from} is no backup: it has no ${MANIFEST}`);
    requireEmpty(dataDir, "DATA_DIR");
    const { made_at, files } = JSON.parse(readFileSync(join(from, MANIFEST), "utf8")) as Manifest;
    const found = await checksumsIn(from);
    const damaged = Object.keys({ ...files, ...found }).filter((path) => files[path] !== found[path]);
    if (damaged.length > 0)
      throw new UsageError(`The backup is damaged, nothing was restored: ${damaged.slice(0, 5).join(", ")}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return whileStopped(dataDir, async () => {
      for (const name of CONTENTS)
        if (existsSync(join(from, name))) copy(join(from, name), join(dataDir, name));
      // Inside a closed home directory the database lives elsewhere, reachable for Postgres' user.
      copy(join(from, DATABASE), databaseDir(dataDir, serverAccount(join(dataDir, DATABASE))));
      return { restored: dataDir, made_at, files: Object.keys(files).length };
    });
  },
};

function refuseEnvironment(given: Invocation): void {
  if (given.option("env"))
    throw new UsageError(
      "Backups of this kind are of a local stack: a deployment's database and buckets have their own",
    );
}

function requireEmpty(directory: string, name: string): void {
  if (existsSync(directory) && readdirSync(directory).length > 0)
    throw new UsageError(`${name} is ${directory}, which is not empty: name a new directory`);
}

/** Holds the lock, because a copy of changing files would be useless. */
async function whileStopped<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockDataDir(dataDir).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Preserves owners and modes, because the database's files belong to Postgres' user. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", "--reflink=auto", "-T", from, to]);

async function checksumsIn(directory: string): Promise<Record<string, string>> {
  const checksums: Record<string, string> = {};
  for (const path of readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()) {
    const full = join(directory, path);
    if (path === MANIFEST || !statSync(full).isFile()) continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(full), hash);
    checksums[relative(directory, full)] = hash.digest("hex");
  }
  return checksums;
}

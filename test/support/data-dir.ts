import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate } from "../../db/migrate.ts";
import { serverAccount } from "../../workers/local/postgres/account.ts";
import { postgresBinaries } from "../../workers/local/postgres/binaries.ts";
import { buildWorker, sourcesHash } from "../../workers/local/worker/build.ts";
import { startDatabase } from "../stack/database.ts";
import { PROJECT_DIR } from "./structure.ts";

const CACHE = join(PROJECT_DIR, "node_modules/.cache/soundpost-test");
/** Number of templates to keep, because runs of other branches may still copy theirs. */
const KEPT_TEMPLATES = 3;

/**
 * Fills an empty data directory from a template with a migrated database, secrets and the built Worker. A
 * stack then starts in a third of the time. All stacks share the template's secrets.
 */
export async function fillDataDir(dataDir: string): Promise<void> {
  const template = await findTemplate();
  if (template) copy(template, dataDir);
}

/** Gives a data directory the built Worker alone, for a database that its test makes otherwise. */
export async function fillBundle(dataDir: string): Promise<void> {
  const template = await findTemplate();
  if (template) cpSync(join(template, "worker"), join(dataDir, "worker"), { recursive: true });
}

async function findTemplate(): Promise<string | undefined> {
  const template = join(CACHE, templateName());
  if (!existsSync(template)) await makeTemplate(template);
  if (!existsSync(template)) return undefined;
  utimesSync(template, new Date(), new Date());
  return template;
}

/** Hashes everything that determines the directory's contents. */
function templateName(): string {
  const hash = createHash("sha256").update(sourcesHash());
  for (const path of ["stack/secrets.ts", "postgres/cluster.ts", "postgres/server.ts"])
    hash.update(readFileSync(join(PROJECT_DIR, "workers/local", path)));
  hash.update(readFileSync(import.meta.filename));
  return hash.digest("hex").slice(0, 16);
}

async function makeTemplate(template: string): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), "soundpost-template-"));
  try {
    const database = await startDatabase(draft);
    await migrate({ url: database.databaseUrl });
    await database.stop({ keepData: true });
    // Below a closed directory the database lives elsewhere and cannot be copied. Each stack then creates its
    // own.
    if (lstatSync(join(draft, "postgres")).isSymbolicLink()) return;
    dropUnused(join(draft, "postgres"));
    // Only a power failure would show the difference, and tests kill no more than processes.
    appendFileSync(join(draft, "postgres/postgresql.conf"), "fsync = off\n");
    await buildWorker(join(draft, "worker"));
    mkdirSync(CACHE, { recursive: true });
    const beside = `${template}.${process.pid}`;
    mkdirSync(beside);
    copy(draft, beside);
    try {
      renameSync(beside, template);
    } catch {
      // A concurrent run has created it.
      rmSync(beside, { recursive: true });
    }
    forgetOldTemplates();
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Drops the databases that new ones are copied from, which are two fifths of the files. No test makes one. */
function dropUnused(cluster: string): void {
  const account = serverAccount(cluster);
  const { status, stderr } = spawnSync(
    join(postgresBinaries(account), "bin/postgres"),
    ["--single", "-D", cluster, "postgres"],
    {
      ...account,
      cwd: "/",
      input:
        "UPDATE pg_database SET datistemplate = false;\nDROP DATABASE template1;\nDROP DATABASE template0;\n",
    },
  );
  if (status !== 0) throw new Error(String(stderr));
}

/** Preserves owners, because the database's files belong to Postgres' user. */
const copy = (from: string, to: string) => execFileSync("cp", ["-a", "--reflink=auto", `${from}/.`, to]);

function forgetOldTemplates(): void {
  const templates = readdirSync(CACHE).map((name) => join(CACHE, name));
  const byAge = templates.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of byAge.slice(KEPT_TEMPLATES)) rmSync(old, { recursive: true, force: true });
}

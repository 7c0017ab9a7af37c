import { execFile } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { readArguments } from "../../workers/admin/arguments.ts";
import { fileCommands } from "../../workers/admin/backup/backup-commands.ts";
import { explained } from "../../workers/admin/failures.ts";
import { backupChecks } from "../../workers/admin/server/backup-checks.ts";
import { apiClient, type UploadSession, uploadParts } from "../../workers/local/demo/upload.ts";
import { freePorts } from "../../workers/local/stack/ports.ts";
import { type Stack, startStack } from "../../workers/local/stack/stack.ts";
import { fillBundle, fillDataDir } from "../support/data-dir.ts";
import { isFull } from "../support/repeats.ts";
import { clicks, wavFile } from "../support/sources/pcm.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import {
  bytesOfStream,
  commentsIn,
  contents,
  keepCommenting,
  keepPlaying,
  missingObjects,
} from "./backup.support.ts";
import { makeFirstAccount } from "./first-account.support.ts";
import { until } from "./npm-start.ts";

const root = mkdtempSync(join(tmpdir(), "soundpost-backup-"));
// Postgres runs as another user for root and must be able to enter.
chmodSync(root, 0o711);
const [first, second, copy] = ["first", "second", "copy"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const stacks: Stack[] = [];
/** The backup that was made while comments were written. */
let online: { name: string; begunMs: number; written: { body: string; atMs: number }[] };
let lostAtMs: number;
let madeAtMs: number;

afterAll(async () => {
  for (const stack of stacks) await stack.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Both share their addresses, because tokens name their issuer. */
const port = await freePorts(3);

async function start(dataDir: string): Promise<Stack> {
  const stack = await startStack({
    port,
    dataDir,
    log: () => {},
    crons: false,
    transcoders: 1,
    env: { COMMENTS_PER_HOUR: "off" },
  });
  stacks.push(stack);
  return stack;
}

/** Runs the command like an operator. */
async function admin(dataDir: string, ...args: string[]) {
  const program = [join(PROJECT_DIR, "workers/admin/main.ts"), ...args, "--json"];
  const env = { ...process.env, DATA_DIR: dataDir };
  return promisify(execFile)(process.execPath, program, { env }).then(
    ({ stdout }) => ({ code: 0, reply: JSON.parse(stdout), stderr: "" }),
    ({ code, stderr }) => ({ code, reply: undefined, stderr: String(stderr) }),
  );
}

/** Does the same in this process, unless everything is tested: each start of the program costs a second. */
async function operate(dataDir: string, command: "backup" | "restore", ...args: string[]) {
  if (isFull) return admin(dataDir, command, ...args);
  vi.stubEnv("DATA_DIR", dataDir);
  try {
    const reply: Record<string, unknown> | undefined = await fileCommands[command]?.(readArguments(args));
    return { code: 0, reply, stderr: "" };
  } catch (error) {
    const { words, code } = explained(error);
    return { code, reply: undefined, stderr: words };
  } finally {
    vi.unstubAllEnvs();
  }
}

function someBlob(): string {
  const paths = readdirSync(join(copy, "blobs"), { recursive: true, encoding: "utf8" });
  const files = paths.map((path) => join(copy, "blobs", path)).filter((path) => statSync(path).isFile());
  return files[0] ?? "";
}

/** Half a second, which encodes in a moment. */
const SONG = wavFile(clicks(22_050, 44_100), 44_100);

async function publish(stack: Stack) {
  const { token } = await makeFirstAccount(stack);
  const call = apiClient(stack.urls.api, token);
  const audio = { path: join(root, "song.wav"), size: SONG.length };
  writeFileSync(audio.path, SONG);
  const session = await call<UploadSession>("POST", "/uploads", {
    filename: "a.wav",
    size: audio.size,
    type: "audio/wav",
  });
  await uploadParts(call, session, audio, () => {});
  const { id } = await call<{ id: number }>("POST", "/tracks", {
    track: { upload_id: session.id, title: "Kept" },
  });
  const state = async () => (await call<{ state: string }>("GET", `/tracks/${id}`)).state;
  await until("the track is encoded", async () => (await state()) === "finished");
  return { id, token };
}

let published: Awaited<ReturnType<typeof publish>>;
let before: Awaited<ReturnType<typeof contents>>;

test("backups made while the service writes hold the plays taken before, and the second copies only what is new", async () => {
  mkdirSync(first);
  await fillDataDir(first);
  const stack = await start(first);
  published = await publish(stack);
  const writer = keepCommenting(stack, published.token, published.id);
  const player = keepPlaying(first);
  await until("some comments are written", () => writer.written.length > 10);

  const begunMs = Date.now();
  const whole = await admin(first, "backup", "--to", copy, "--verify");
  expect([whole.stderr, whole.reply]).toEqual([
    "",
    expect.objectContaining({ backup: copy, verified: true }),
  ]);
  await Promise.all([writer.stop(), player.stop()]);
  const copiedFiles = new Set(readdirSync(join(copy, "backups", whole.reply.name, "plays")));
  const takenBefore = player.taken.filter(({ atMs }) => atMs < Date.parse(whole.reply.made_at));
  expect(takenBefore.length).toBeGreaterThan(0);
  expect(takenBefore.filter(({ name }) => !copiedFiles.has(name))).toEqual([]);
  online = { name: whole.reply.name, begunMs, written: writer.written };

  expect(whole.reply.copied_objects).toBeGreaterThan(5);
  before = await contents(stack);
  // It has copied the database, and waits for the objects.
  const copiedDatabase = () =>
    readdirSync(join(copy, "backups"), { recursive: true }).some((name) =>
      /^draft-.*backup_label$/.test(String(name)),
    );
  const { objects = 0 } = stack.pids();
  process.kill(objects, "SIGSTOP");
  const waiting = operate(first, "backup", "--to", copy);
  const meanwhile = await until("the database is copied", copiedDatabase)
    .then(() => operate(first, "backup", "--to", copy))
    .finally(() => process.kill(objects, "SIGCONT"));
  expect([meanwhile.code, meanwhile.stderr]).toEqual([2, expect.stringContaining("Another backup")]);
  const again = await waiting;
  expect(again.reply).toMatchObject({ kept: 2, copied_objects: 0, objects: whole.reply.objects });
  lostAtMs = Date.now();
  madeAtMs = Date.parse(String(again.reply?.made_at));
  await stack.stop();
  rmSync(first, { recursive: true });
});

test("the last backup restores elsewhere row by row, and its tracks play (F62)", async () => {
  const beganMs = Date.now();
  const restored = await admin(second, "restore", "--from", copy);
  expect([restored.stderr, restored.reply]).toEqual(["", expect.objectContaining({ restored: second })]);
  await fillBundle(second);
  const stack = await start(second);
  // Before any request: one that comes after a minute is noted in its session.
  expect(await contents(stack)).toEqual(before);
  expect(await bytesOfStream(stack, published.token, published.id)).toBeGreaterThan(1000);
  const [rpo, rto] = [lostAtMs - madeAtMs, Date.now() - beganMs].map((ms) => (ms / 1000).toFixed(1));
  console.log(
    `Restore drill: RPO ${rpo} s (since the last backup's moment), RTO ${rto} s (until a stream plays)`,
  );
  expect(await missingObjects(stack)).toEqual([]);
  await stack.stop();
});

test("a backup made under writes holds what was acknowledged before it, and no row without its objects", async () => {
  const fourth = join(root, "fourth");
  // A restore that was killed has left these. The next begins again.
  mkdirSync(join(fourth, "objects"), { recursive: true });
  for (const name of ["restore-unfinished", "secrets.json"]) writeFileSync(join(fourth, name), "");
  await expect(start(fourth)).rejects.toThrow("restore it again");
  expect((await operate(fourth, "restore", "--from", copy, "--at", online.name)).stderr).toBe("");
  await fillBundle(fourth);
  const stack = await start(fourth);
  const restored = await commentsIn(stack);
  const lost = online.written.filter(({ body, atMs }) => atMs < online.begunMs && !restored.has(body));
  expect(lost).toEqual([]);
  // One statement's comment after another: none is kept without those before it.
  const places = online.written.map(({ body }) => restored.has(body));
  expect(places.lastIndexOf(true) + 1).toBe(restored.size);
  expect(await missingObjects(stack)).toEqual([]);
  await stack.stop();
});

test("a backup of a stopped stack needs no service, and holds plays that wait; older backups go", async () => {
  const play = join("plays", "000000000009.ndjson");
  writeFileSync(join(second, play), "{}");
  const again = await operate(second, "backup", "--to", copy, "--keep", "1");
  expect([again.stderr, again.reply]).toEqual(["", expect.objectContaining({ kept: 1, copied_objects: 0 })]);
  expect(readFileSync(join(copy, "backups", String(again.reply?.name), play), "utf8")).toBe("{}");
});

test("a backup is the newest also if the clock went back, and makes cut-off copies anew", async () => {
  const folder = join(copy, "backups");
  const [made = ""] = readdirSync(folder);
  const future = made.replace(/^\d+/, (year) => String(Number(year) + 1));
  renameSync(join(folder, made), join(folder, future));
  // Another was killed while its last bytes went to the disk.
  cpSync(join(folder, future), join(folder, "draft-1"), { recursive: true });
  truncateSync(someBlob(), 0);
  const again = await operate(second, "backup", "--to", copy, "--keep", "1", "--verify");
  expect([again.stderr, again.reply]).toEqual([
    "",
    expect.objectContaining({ copied_objects: 1, verified: true }),
  ]);
  expect(readdirSync(folder)).toEqual([again.reply?.name]);
});

test("--verify makes a damaged copy of an object anew", async () => {
  const damaged = someBlob();
  writeFileSync(damaged, Buffer.alloc(statSync(damaged).size, "x"));
  const [name = ""] = readdirSync(join(copy, "backups"));
  const found = await operate(second, "restore", "--from", copy, "--at", name, "--verify");
  expect([found.code, found.stderr]).toEqual([2, expect.stringContaining("is damaged: blobs/")]);
  const again = await operate(second, "backup", "--to", copy, "--keep", "1", "--verify");
  expect([again.stderr, again.reply]).toEqual(["", expect.objectContaining({ verified: true })]);
});

test("a directory takes backups of one server, also if its newest is damaged", async () => {
  const [name = ""] = readdirSync(join(copy, "backups"));
  const control = join(copy, "backups", name, "postgres/global/pg_control");
  const content = readFileSync(control);
  writeFileSync(control, Buffer.from(content).fill(0, 0, 8));
  const refused = await operate(second, "backup", "--to", copy, "--keep", "1");
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("another server")]);
  expect(readdirSync(join(copy, "backups"))).toEqual([name]);
  const checked = backupChecks({ dataDir: second, backupDir: copy, database: undefined }, undefined);
  expect((await checked.next()).value).toMatchObject({
    state: "wrong",
    says: expect.stringContaining("Name a new directory"),
  });
  rmSync(control);
  expect((await operate(second, "backup", "--to", copy, "--keep", "1", "--verify")).stderr).toBe("");
});

test("a backup may lie on another file system, and a failed one leaves no room taken", async () => {
  const elsewhere = mkdtempSync("/dev/shm/soundpost-backup-");
  try {
    expect((await operate(second, "backup", "--to", elsewhere, "--verify")).stderr).toBe("");
    rmSync(join(elsewhere, "blobs"), { recursive: true });
    writeFileSync(join(elsewhere, "blobs"), "in the way");
    expect((await operate(second, "backup", "--to", elsewhere)).stderr).not.toBe("");
    expect(readdirSync(join(elsewhere, "backups"))).toHaveLength(1);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test("a damaged backup restores nothing and names the file; existing data is never overwritten", async () => {
  const third = join(root, "third");
  const taken = await operate(second, "restore", "--from", copy);
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining("not empty")]);
  const [name = ""] = readdirSync(join(copy, "backups"));
  const elsewhere = await operate(second, "backup", "--to", join(copy, "backups", name));
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining("not empty")]);
  writeFileSync(join(copy, "backups", name, "secrets.json"), "{}");
  for (const asked of [["--verify"], []]) {
    const damaged = await operate(third, "restore", "--from", copy, ...asked);
    expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining("secrets.json")]);
  }
  expect(existsSync(third) ? readdirSync(third) : []).toEqual([]);
});

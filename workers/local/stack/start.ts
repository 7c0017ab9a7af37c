import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { VERSION } from "../../../functions/api/health/version.ts";
import { messageOf } from "../../../functions/lib/errors/message-of.ts";
import { registrationOf } from "../../../functions/lib/http/registration.ts";
import { findFfmpeg } from "../../transcoder/ffmpeg.ts";
import { PROJECT_DIR } from "../worker/build.ts";
import { watchSources } from "../worker/reload.ts";
import { portRefusal } from "./port-refusal.ts";
import { lockDataDir, readRunningStack } from "./record.ts";
import { givenSettings, idleLines, readSettings, type Settings } from "./settings.ts";
import { type Stack, startStack } from "./stack.ts";
import { whenFree } from "./when-free.ts";

const PARENT_CHECK_MS = 300;
/** The terminal signals the whole group and npm forwards the signal, so one Ctrl-C arrives twice. */
const SAME_KEYPRESS_MS = 500;

const USAGE = `Usage: npm start                  starts everything; Ctrl-C stops it and keeps what was uploaded
       npm start -- FILE …      uploads files as a demo user, too
       npm start -- --version

Its settings are variables of the environment or lines of DATA_DIR/settings.env: workers/local/settings.md lists them.`;

const say = (line: string) => console.log(line);

// The reader of our output may be gone. The log files hold everything.
process.stdout.on("error", () => {});

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

if (process.argv.includes("--version")) {
  say(VERSION);
  process.exit(0);
}

if (process.argv.includes("--help")) {
  say(USAGE);
  process.exit(0);
}

function settings(): Settings {
  try {
    return readSettings();
  } catch (error) {
    return fail(messageOf(error));
  }
}

/** Prints the addresses to open next. */
function addresses({ api, web, older, objects, docs, mail }: Stack["urls"]): string {
  const olderApi = env.OLDER_BEHAVIOUR === "on" ? ` · older API ${older}` : "";
  if (server.isPublic) return `${web} · API ${api}${olderApi} · objects ${objects} · docs ${docs}`;
  return `${api}${olderApi} · objects ${objects} · docs ${docs} · mail ${smtp ? `by ${smtp.host}` : mail}`;
}

/** Checks before anything starts, so that no half stack runs beside a foreign server. */
async function refuseUnusable(): Promise<void> {
  const uses = ["the API", "the older API", ...(storage ? [] : ["the object store"])];
  const refusal = await portRefusal(port, uses, server.bind);
  if (refusal) fail(refusal);
  const { FFMPEG_PATH } = process.env;
  await findFfmpeg(FFMPEG_PATH).catch(({ message }: Error) =>
    fail(FFMPEG_PATH ? `FFMPEG_PATH names no ffmpeg that runs: ${message}` : message),
  );
}

/** Stops the stack if its parent dies: npm killed, terminal closed, CI job cancelled. */
function onParentGone(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), PARENT_CHECK_MS).unref();
}

/** Returns whether a stop was requested. */
function stopOnSignals(stack: Promise<Stack>): () => boolean {
  let askedAtMs: number | undefined;
  const stop = async () => {
    if (askedAtMs !== undefined && Date.now() - askedAtMs < SAME_KEYPRESS_MS) return;
    if (askedAtMs !== undefined) return process.exit(130); // second request: the watchdog ends the rest
    askedAtMs = Date.now();
    say("Stopping");
    stopping.abort();
    await stack.then((one) => one.stop()).catch(() => {});
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);
  onParentGone(() => askedAtMs === undefined && stop());
  return () => askedAtMs !== undefined;
}

/** Imported on demand, because most starts upload nothing. */
async function upload(
  stack: Parameters<typeof import("../demo/demo.ts").uploadAsDemoUser>[0],
  files: string[],
) {
  const { uploadAsDemoUser } = await import("../demo/demo.ts");
  await uploadAsDemoUser(stack, files, dataDir);
}

const option = process.argv.slice(2).find((argument) => argument.startsWith("-"));
if (option && !existsSync(resolve(process.env.INIT_CWD ?? ".", option)))
  fail(`There is no option ${option}\n\n${USAGE}`);
const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? ".", file));
const missing = files.find((file) => !existsSync(file) || !statSync(file).isFile());
if (missing) fail(`There is no file ${missing}`);
const { dataDir, port, server, env, database, storage, postgresBin, backupDir, smtp, collector } = settings();
for (const line of idleLines()) say(line);
// Our own processes and the transcoders read these from the environment.
for (const name of ["LOG", "FFMPEG_PATH", "TRANSCODER_SLOTS"]) {
  const text = givenSettings()[name];
  if (text) process.env[name] = text;
}
if (server.isPublic && files.length > 0)
  fail(
    "npm start -- FILE uploads as a demo user, which a server for others must not have. Sign up and upload there.",
  );

/** Aborts waiting when a signal asks to stop. */
const stopping = new AbortController();
/** An operator's command ends by itself. A service that gave up beside it would stay down. */
const onceFree = <T>(take: () => Promise<T>): Promise<T> =>
  whenFree(take, { waits: (why) => say(`Waiting: ${why}`), signal: stopping.signal });

/** Checks the directory before the ports, because a command that uses it may hold the ports for a while. */
async function findRunning() {
  const found = await readRunningStack(dataDir);
  if (!found && existsSync(dataDir)) (await lockDataDir(dataDir)).release();
  return found;
}

const running = await onceFree(findRunning).catch((error: Error) => fail(error.message));
if (running && files.length > 0) {
  await upload(running, files).catch((error: Error) => fail(error.message));
  process.exit(0);
}
if (!running) await refuseUnusable();

const starting = onceFree(() =>
  startStack({
    port,
    dataDir,
    log: say,
    env,
    server,
    database,
    storage,
    postgresBin,
    backupDir,
    smtp,
    collector,
  }),
);
const isStopping = stopOnSignals(starting);
// A signal to the whole group ends what the start waits for, which is no failure.
const stack = await starting.catch((error: Error) => (isStopping() ? process.exit(0) : fail(error.message)));
if (server.isPublic && !smtp)
  say(
    "SMTP_URL is not set: mails stay in DATA_DIR/mail, so nobody can confirm an address or reset a password. An invitation stands in for the confirmation",
  );
if (server.isPublic && registrationOf({ REGISTRATION: "invite", ...env }) === "invite")
  say("Sign-up is by invitation: npm run -s admin -- invitation create prints a link");
say(`Soundpost is ready: ${addresses(stack.urls)}`);
// A server for others changes by a restart, not while its operator fetches a new version.
if (!server.isPublic)
  watchSources({
    projectDir: PROJECT_DIR,
    dataDir,
    databaseUrl: stack.databaseUrl,
    reload: stack.worker.reload,
    log: say,
  });
if (files.length > 0) await upload(stack, files).catch((error: Error) => console.error(error.message));

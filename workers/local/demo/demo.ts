import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { readArguments } from "../../admin/arguments.ts";
import { commands } from "../../admin/commands.ts";
import { stackTarget } from "../../admin/target.ts";
import { writePrivateFile } from "../stack/private-file.ts";
import type { StackRecord } from "../stack/record.ts";
import type { Secrets } from "../stack/secrets.ts";
import { progressLine } from "./progress.ts";
import { type ApiCall, apiClient, type UploadSession, uploadParts } from "./upload.ts";

type RunningStack = Pick<StackRecord, "urls" | "appDatabaseUrl" | "proxyUrl"> & { secrets: Secrets };

interface DemoUser {
  username: string;
  email: string;
  password: string;
  client_id: string;
  client_secret: string;
}

interface DemoTrack {
  id: number;
  state: "processing" | "failed" | "finished";
  permalink_url: string;
  duration: number;
  encoding?: { progress: number; reason: { message: string } | null };
}

/** Media types as browsers send them. The service inspects the content anyway. */
const MEDIA_TYPES: Record<string, string> = {
  ".aif": "audio/aiff",
  ".aiff": "audio/aiff",
  ".wav": "audio/wav",
  ".flac": "audio/flac",
  ".ogg": "audio/ogg",
  ".opus": "audio/ogg",
  ".mp2": "audio/mpeg",
  ".mp3": "audio/mpeg",
  ".aac": "audio/aac",
  ".m4a": "audio/mp4",
  ".amr": "audio/amr",
  ".wma": "audio/x-ms-wma",
};

const POLL_MS = 500;

/**
 * Uploads files as the demo user, shows progress, and prints each track's page and stream. At the end names the
 * files that failed.
 */
export async function uploadAsDemoUser(stack: RunningStack, files: string[], dataDir: string): Promise<void> {
  const call = apiClient(stack.urls.api, await demoToken(stack, dataDir));
  const failures: string[] = [];
  for (const file of files)
    await uploadOne(call, file).catch(({ message }: Error) => failures.push(`${basename(file)}: ${message}`));
  if (failures.length) throw new Error(failures.join("\n"));
}

async function uploadOne(call: ApiCall, file: string): Promise<void> {
  const name = basename(file);
  const audio = { path: file, size: statSync(file).size };
  const type = MEDIA_TYPES[extname(file).toLowerCase()] ?? "application/octet-stream";
  const session = await call<UploadSession>("POST", "/uploads", { filename: name, size: audio.size, type });
  const progress = progressLine(name);
  await uploadParts(call, session, audio, (sent) => progress("uploading", sent / audio.size));
  const title = name.slice(0, name.length - extname(name).length) || name;
  let track = await call<DemoTrack>("POST", "/tracks", { track: { upload_id: session.id, title } });
  while (track.state === "processing") {
    progress("encoding", track.encoding?.progress ?? 0);
    await new Promise((wake) => setTimeout(wake, POLL_MS));
    track = await call<DemoTrack>("GET", `/tracks/${track.id}`);
  }
  progress(track.state, 1);
  if (track.state === "failed")
    throw new Error(`cannot be played: ${track.encoding?.reason?.message ?? "encoding failed"}`);
  const streams = await call<Record<string, string>>("GET", `/tracks/${track.id}/streams`);
  console.log(
    `  page    ${track.permalink_url}\n  stream  ${streams.hls_aac_160_url}\n  mp3     ${streams.http_mp3_128_url}`,
  );
}

/** Creates the demo user and its app once. Their credentials stay in DATA_DIR/demo.json, for signing in. */
async function demoToken(stack: RunningStack, dataDir: string): Promise<string> {
  const run = (command: string, ...args: string[]) =>
    commands[command]?.(stackTarget(stack), readArguments(args));
  const path = resolve(dataDir, "demo.json");
  const demo: DemoUser = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : await makeDemoUser();
  const token = await run("token create", "--app", demo.client_id, "--user", demo.username);
  return String(token?.access_token);

  async function makeDemoUser(): Promise<DemoUser> {
    const username = `demo-${randomBytes(3).toString("hex")}`;
    const account = {
      username,
      email: `${username}@localhost.example`,
      password: randomBytes(12).toString("base64url"),
    };
    // A password may begin with a hyphen, so it is joined to its option.
    const credentials = ["--username", username, "--email", account.email, `--password=${account.password}`];
    await run("user create", ...credentials, "--plan", "artist", "--confirmed");
    const app = await run(
      "app create",
      "--owner",
      username,
      "--name",
      "Demo",
      "--redirect-uri",
      "http://127.0.0.1/callback",
    );
    const made = { ...account, client_id: String(app?.client_id), client_secret: String(app?.client_secret) };
    await writePrivateFile(path, `${JSON.stringify(made, null, 2)}\n`);
    console.log(
      `Made the demo user ${username}; its credentials are in ${resolve(dirname(path), "demo.json")}`,
    );
    return made;
  }
}

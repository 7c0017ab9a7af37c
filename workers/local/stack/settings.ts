import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { BUDGET_SETTINGS } from "../../../functions/lib/http/limits/budgets.ts";
import { isNetwork } from "../front/client-facts.ts";
import { readSmtpUrl } from "../mail/smtp.ts";
import { type Collector, readCollector } from "../telemetry/exporter.ts";
import { explainFileError } from "./data-dir.ts";
import { formProblems } from "./forms.ts";
import { type OwnDatabase, type OwnStorage, readOwnDatabase, readOwnStorage } from "./own-parts.ts";
import { WORKER_TEXTS, workerVariables } from "./worker-variables.ts";

export const DEFAULT_PORT = 8787;
const LOOPBACK = ["127.0.0.1", "::1"];
/** Inside DATA_DIR. Lines of NAME=value; the environment's variables go before them. */
export const SETTINGS_FILE = "settings.env";

/** Addresses of a stack, and who may reach it. */
export type Server = {
  /** Addresses of this machine that the front and the object store listen on. */
  bind: string[];
  urls: { api: string; auth: string; web: string; older: string; objects: string };
  /** Others reach it: pages for developers are closed, and webhooks stay off this machine's network. */
  isPublic: boolean;
  /** A proxy before the stack ends TLS. */
  behindProxy: boolean;
  /** Proxies that are trusted to name their clients. */
  trustedProxies: string[];
  /** The header in which they name a client's country, and a file that knows it by address. */
  countryHeader: string | undefined;
  countryFile: string | undefined;
};

export type Settings = {
  dataDir: string;
  port: number;
  server: Server;
  database: OwnDatabase | undefined;
  storage: OwnStorage | undefined;
  /** The directory of PostgreSQL's programs. */
  postgresBin: string | undefined;
  /** The directory for backups and the archived log of the database. */
  backupDir: string | undefined;
  /** The mail server. Without it mails are kept in `DATA_DIR/mail`. */
  smtp: URL | undefined;
  /** Takes the log. Without it the log is only in `DATA_DIR/logs`. */
  collector: Collector | undefined;
  /** Variables of the Worker. */
  env: Record<string, string>;
};

/** An error that lists every wrong setting, a line each. */
export class WrongSettings extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

type Given = Record<string, string | undefined>;

/** The stack that nobody configured: open to this machine alone, for development. */
export const ownMachine = (port: number): Server => {
  const at = (one: number) => `http://localhost:${one}`;
  const [api, older, objects] = [at(port), at(port + 1), at(port + 2)];
  return {
    bind: LOOPBACK,
    urls: { api, auth: api, web: api, older, objects },
    isPublic: false,
    behindProxy: false,
    trustedProxies: [],
    countryHeader: undefined,
    countryFile: undefined,
  };
};

export const dataDirOf = (environment: Given = process.env): string =>
  resolve(environment.DATA_DIR || ".data");

function linesOfFile(environment: Given): Given {
  const file = join(dataDirOf(environment), SETTINGS_FILE);
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  } catch (error) {
    throw new WrongSettings([
      explainFileError(Object.assign(error as Error, { path: file }), "Mend that").message,
    ]);
  }
}

/** The environment's variables over the lines of `DATA_DIR/settings.env`. */
export function givenSettings(environment: Given = process.env): Given {
  // An empty variable counts as unset.
  const set = Object.entries(environment).filter(([, text]) => text);
  return { ...linesOfFile(environment), ...Object.fromEntries(set) };
}

/** Reports each unknown line of the file. Another release may know it, so it is no reason to refuse. */
export const idleLines = (environment: Given = process.env): string[] =>
  Object.keys(linesOfFile(environment))
    .filter((name) => !NAMES.has(name))
    .map(
      (name) => `${name} in DATA_DIR/${SETTINGS_FILE} has no effect: the file takes no setting of this name`,
    );

/** Reads and checks them. Throws `WrongSettings`. */
export function readSettings(environment: Given = process.env): Settings {
  const dataDir = dataDirOf(environment);
  const given = givenSettings(environment);
  const problems: string[] = [];
  const port = portFrom(given.PORT, problems);
  const database = readOwnDatabase(given, problems);
  const storage = readOwnStorage(given, problems);
  const server = serverFrom(given, port, storage, problems);
  const smtp = readSmtpUrl(given.SMTP_URL, problems);
  const collector = readCollector(given, problems);
  const backupDir = given.BACKUP_DIR && resolve(given.BACKUP_DIR);
  problems.push(...formProblems(given));
  requireMail(given, server, problems);
  const env = workerVariables(given, server.isPublic, problems);
  if (problems.length) throw new WrongSettings(problems);
  const postgresBin = given.POSTGRES_BIN;
  return { dataDir, port, server, database, storage, postgresBin, backupDir, smtp, collector, env };
}

function portFrom(text: string | undefined, problems: string[]): number {
  const port = text ? Number(text) : DEFAULT_PORT;
  if (Number.isInteger(port) && port >= 1 && port <= 65_533) return port;
  problems.push(`PORT must be a whole number up to 65533, not "${text}"`);
  return DEFAULT_PORT;
}

function serverFrom(given: Given, port: number, storage: OwnStorage | undefined, problems: string[]): Server {
  const own = ownMachine(port);
  const bind = given.BIND ? given.BIND.split(",").map((address) => address.trim()) : own.bind;
  for (const address of bind)
    if (!isIP(address))
      problems.push(`BIND must be addresses of this machine, such as 0.0.0.0, not "${address}"`);
  const address = (name: string) => originFrom(name, given[name], problems);
  const api = address("API_URL");
  const [auth, web, older, objects] = ["AUTH_URL", "WEB_URL", "OLDER_API_URL", "OBJECTS_URL"].map(address);
  const named = { AUTH_URL: auth, WEB_URL: web, OLDER_API_URL: older, OBJECTS_URL: objects };
  if (!api)
    for (const [name, url] of Object.entries(named))
      if (url) problems.push(`${name} is set, but API_URL is not: the addresses go together`);
  const base = api ?? own.urls.api;
  const behindProxy = base.startsWith("https:");
  for (const [name, url] of Object.entries(named))
    if (api && url && url.startsWith("https:") !== behindProxy)
      problems.push(`${name} and API_URL must both begin with https:, or both with http:`);
  if (behindProxy && !objects && !storage)
    problems.push(
      `OBJECTS_URL is missing: the address at which the proxy serves port ${port + 2}, such as https://objects.example.com. Browsers send files there`,
    );
  if (behindProxy && given.OLDER_BEHAVIOUR === "on" && !older)
    problems.push(`OLDER_API_URL is missing: OLDER_BEHAVIOUR=on needs a host for port ${port + 1}`);
  const beside = (next: number) => (api ? neighbour(api, next) : undefined);
  return {
    bind,
    urls: {
      api: base,
      auth: auth ?? base,
      web: web ?? base,
      older: older ?? beside(port + 1) ?? own.urls.older,
      objects: objects ?? storage?.S3_ENDPOINT ?? beside(port + 2) ?? own.urls.objects,
    },
    isPublic: isOthers(base) || isOthers(web ?? base) || bind.some((one) => !LOOPBACK.includes(one)),
    behindProxy,
    trustedProxies: trustedFrom(given.TRUSTED_PROXIES, behindProxy, problems),
    countryHeader: given.COUNTRY_HEADER,
    countryFile: given.COUNTRY_FILE && resolve(given.COUNTRY_FILE),
  };
}

/** A proxy on this machine, unless the operator names others. */
function trustedFrom(text: string | undefined, behindProxy: boolean, problems: string[]): string[] {
  if (!text) return behindProxy ? ["127.0.0.0/8", "::1"] : [];
  const networks = text.split(",").map((network) => network.trim());
  for (const network of networks)
    if (!isNetwork(network))
      problems.push(`TRUSTED_PROXIES must be addresses or networks, such as 10.0.0.0/8, not "${network}"`);
  return networks;
}

/** Whether the address reaches beyond this machine. A proxy before the stack may speak plain HTTP. */
const isOthers = (url: string): boolean =>
  !/^http:\/\/(?:localhost|[\w-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(url);

/** The same host at another port. */
function neighbour(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.origin;
}

function originFrom(name: string, text: string | undefined, problems: string[]): string | undefined {
  if (!text) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && text.replace(/\/$/, "") === url.origin) return url.origin;
  problems.push(`${name} must be an address without a path, such as https://example.com, not "${text}"`);
  return undefined;
}

/** Without mail nobody could confirm an address, so nobody could ever post. An invitation stands in for that. */
function requireMail({ REGISTRATION, SMTP_URL }: Given, { isPublic }: Server, problems: string[]): void {
  if (isPublic && REGISTRATION === "confirm" && !SMTP_URL)
    problems.push("SMTP_URL is missing: REGISTRATION=confirm sends mails. REGISTRATION=invite works without");
}

/** Every name that the file may set. */
export const NAMES = new Set([
  "PORT",
  "BIND",
  "API_URL",
  "AUTH_URL",
  "WEB_URL",
  "OLDER_API_URL",
  "OBJECTS_URL",
  "DATABASE_URL",
  "MIGRATOR_DATABASE_URL",
  "POSTGRES_BIN",
  "S3_ENDPOINT",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_REGION",
  "S3_UPLOADS_BUCKET",
  "S3_MEDIA_BUCKET",
  "SMTP_URL",
  "BACKUP_DIR",
  "OTLP_ENDPOINT",
  "OTLP_HEADERS",
  "TRUSTED_PROXIES",
  "COUNTRY_HEADER",
  "COUNTRY_FILE",
  "OLDER_BEHAVIOUR",
  "APPS_NEED_PLAN",
  "OFFLINE_PAGES",
  "PROOF_OF_WORK",
  "SANDBOX",
  "CHECK_REPLIES",
  "LOG",
  "FFMPEG_PATH",
  "TRANSCODER_SLOTS",
  ...WORKER_TEXTS,
  ...BUDGET_SETTINGS,
]);

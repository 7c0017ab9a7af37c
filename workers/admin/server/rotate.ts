import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { brokenSecrets } from "../../../functions/api/health/secrets.ts";
import { connect } from "../../local/stack/own-database.ts";
import { writePrivateFile } from "../../local/stack/private-file.ts";
import { readRunningStack } from "../../local/stack/record.ts";
import {
  generateSecrets,
  newPassword,
  readSecrets,
  type Secrets,
  saveSecrets,
} from "../../local/stack/secrets.ts";
import { dataDirOf, readSettings, SETTINGS_FILE } from "../../local/stack/settings.ts";
import { type Invocation, UsageError } from "../arguments.ts";

type Lists = "JWT_KEYS" | "SIGNING_KEYS" | "SEAL_KEYS";

interface Rotation {
  /** Names all that the new secret ends. */
  ends: string;
  /** Names all that `--revoke`, which drops the older keys, ends besides. Without it the secret has one value at a time. */
  revoked?: string;
}

/** Every secret of a server of one's own. */
export const ROTATIONS = {
  JWT_KEYS: {
    ends: "nothing: tokens of the older keys stay good, personal ones for up to a year",
    revoked:
      "all access tokens. Apps and browsers get new ones by themselves, but users make personal tokens anew",
  },
  SIGNING_KEYS: {
    ends: "nothing: signed addresses and forms of the older keys stay good",
    revoked: "addresses of streams, upload links, cursors of lists and open forms. Pages make new ones",
  },
  SEAL_KEYS: { ends: "nothing: what the older keys sealed needs them for ever, so they stay" },
  TRANSCODER_SECRET: { ends: "encodes under way, which begin anew" },
  S3_ACCESS_KEY_ID: { ends: "addresses for parts of uploads and for downloads. Clients ask for new ones" },
  S3_SECRET_ACCESS_KEY: {
    ends: "addresses for parts of uploads and for downloads. Clients ask for new ones",
  },
  DATABASE_OWNER_PASSWORD: { ends: "nothing, but nothing can connect anew before the restart" },
  DATABASE_APP_PASSWORD: { ends: "nothing, but nothing can connect anew before the restart" },
  METRICS_TOKEN: {
    ends: "scrapers of /metrics, until they send the new one, which stands in DATA_DIR/settings.env",
  },
} satisfies Record<string, Rotation>;

export type Rotated = keyof typeof ROTATIONS;

const LISTS: readonly string[] = ["JWT_KEYS", "SIGNING_KEYS", "SEAL_KEYS"] satisfies Lists[];
const isList = (name: Rotated): name is Lists => LISTS.includes(name);

/**
 * The new value of a list of keys. Of `JWT_KEYS` the second one begins to sign, which whoever keeps our public keys has known for
 * long, and another follows it.
 */
async function renewed(name: Lists, older: string, revoke: boolean): Promise<string> {
  const { [name]: fresh } = await generateSecrets();
  if (revoke) return fresh;
  // A parser's words would quote it.
  if ((await brokenSecrets({ ...(await generateSecrets()), [name]: older })).length)
    throw new UsageError(`${name} of now can be no key, so nothing was changed`);
  if (name !== "JWT_KEYS") return `${fresh},${older}`;
  const [current, next, ...former] = JSON.parse(older).keys;
  const [made] = JSON.parse(fresh).keys;
  return JSON.stringify({ keys: [...(next ? [next] : []), made, current, ...former] });
}

/** Replaces a secret of this server, or prints the new value for a deployment, whose secrets nobody can read back. */
export async function rotate(name: Rotated, given: Invocation): Promise<{ json: object; text: string }> {
  const { ends, revoked }: Rotation = ROTATIONS[name];
  const revoke = given.flag("revoke");
  if (revoke && !revoked)
    throw new UsageError(
      `${name} takes no --revoke: it ${isList(name) ? "needs its older keys" : "has one value"}`,
    );
  if (given.option("env") !== undefined) return forDeployment(name, revoke);
  await replace(name, revoke);
  const effect = revoke ? `${revoked}` : ends;
  return {
    json: { rotated: name, ends: effect, restart: true },
    text: `${name} is new. It ends ${effect}.\nRestart the service now: it still uses the older one.\n`,
  };
}

async function forDeployment(name: Rotated, revoke: boolean) {
  if (!isList(name))
    throw new UsageError(`${name} of a deployment is not made here: see workers/deploy/recovery.md`);
  const older = process.env[name];
  if (!older && !revoke)
    throw new UsageError(`${name} of now must be in your environment: it stays good beside the new one`);
  const keys = await renewed(name, older ?? "", revoke);
  return { json: { rotated: name, value: keys }, text: `${keys}\n` };
}

async function replace(name: Rotated, revoke: boolean): Promise<void> {
  const dataDir = dataDirOf();
  if (name === "METRICS_TOKEN") return replaceLine(dataDir, name, newPassword());
  refuseOthers(name);
  const secrets = readSecrets(dataDir);
  const older = secrets[name];
  if (!older) throw new UsageError(`${dataDir}/secrets.json holds no ${name}: no stack has run there`);
  const value = isList(name) ? await renewed(name, older, revoke) : (await generateSecrets())[name];
  const save = () => saveSecrets(dataDir, { ...secrets, [name]: value });
  if (name === "DATABASE_OWNER_PASSWORD" || name === "DATABASE_APP_PASSWORD")
    await changePassword(name, value, save);
  else save();
}

/** Passwords of the operator's own database and storage are changed there. */
function refuseOthers(name: keyof Secrets): void {
  const { database, storage } = readSettings();
  if (storage && name.startsWith("S3_"))
    throw new UsageError(
      `${name} is your storage's: make a key there, and put it into DATA_DIR/${SETTINGS_FILE}`,
    );
  if (
    database &&
    (name === "DATABASE_OWNER_PASSWORD" || (name === "DATABASE_APP_PASSWORD" && database.appUrl))
  )
    throw new UsageError(`The password is your database's: ALTER ROLE there, and change DATABASE_URL`);
}

/** A role changes its own password. The file is written before the commit, so that they differ for no longer than that takes. */
async function changePassword(
  name: "DATABASE_OWNER_PASSWORD" | "DATABASE_APP_PASSWORD",
  password: string,
  save: () => void,
) {
  const running = await readRunningStack(dataDirOf());
  if (!running) throw new UsageError("Start the service first: the database changes the password");
  const url = new URL(name === "DATABASE_OWNER_PASSWORD" ? running.databaseUrl : running.appDatabaseUrl);
  // The record of a running stack has the password with which it started.
  url.password = running.secrets[name];
  const client = await connect(url.href);
  try {
    await client.query("BEGIN");
    await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${pg.escapeLiteral(password)}`);
    save();
    await client.query("COMMIT");
  } finally {
    await client.end();
  }
}

function replaceLine(dataDir: string, name: string, value: string): void {
  if (process.env[name])
    throw new UsageError(
      `${name} comes from the environment, which goes before DATA_DIR/${SETTINGS_FILE}: change it there`,
    );
  const file = join(dataDir, SETTINGS_FILE);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const others = lines.filter((line) => !line.startsWith(`${name}=`));
  writePrivateFile(
    file,
    `${[...others.join("\n").trimEnd().split("\n"), `${name}=${value}`].join("\n").trimStart()}\n`,
  );
}

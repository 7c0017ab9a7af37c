import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { brokenSecrets } from "../../../functions/api/health/secrets.ts";
import { newJwtKeys, newKey } from "../../new-keys.ts";
import { explainFileError } from "./data-dir.ts";
import { writePrivateFile } from "./private-file.ts";

export type Secrets = {
  /** JSON: `{"keys":[…]}`, ES256 private JWKs. The first signs; the others are only published. */
  JWT_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated. The first signs, all verify. */
  SIGNING_KEYS: string;
  /** Same form as SIGNING_KEYS. They encrypt data at rest. */
  SEAL_KEYS: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  /** Authenticates Worker and transcoder to each other. */
  TRANSCODER_SECRET: string;
  DATABASE_OWNER_PASSWORD: string;
  DATABASE_APP_PASSWORD: string;
};

export const newPassword = () => randomBytes(24).toString("base64url");

export const generateSecrets = async (): Promise<Secrets> => ({
  JWT_KEYS: await newJwtKeys(),
  SIGNING_KEYS: newKey(),
  SEAL_KEYS: newKey(),
  S3_ACCESS_KEY_ID: `SP${randomBytes(9).toString("hex").toUpperCase()}`,
  S3_SECRET_ACCESS_KEY: newPassword(),
  TRANSCODER_SECRET: newPassword(),
  DATABASE_OWNER_PASSWORD: newPassword(),
  DATABASE_APP_PASSWORD: newPassword(),
});

const pathIn = (dataDir: string) => `${dataDir}/secrets.json`;

/** The stored data is unreadable without these secrets, so they are never regenerated. */
const secretsError = (dataDir: string, why: string) =>
  new Error(
    `${pathIn(dataDir)} ${why}. The data in ${dataDir} cannot be read without it: put back a copy of the file. ` +
      "To begin with nothing, choose another directory: DATA_DIR=/a/path npm start",
  );

/** The embedded database, or objects beside a database elsewhere. */
const holdsData = (dataDir: string): boolean =>
  existsSync(`${dataDir}/postgres/PG_VERSION`) || existsSync(`${dataDir}/objects/catalog.sqlite`);

export function readSecrets(dataDir: string): Partial<Secrets> {
  if (!existsSync(pathIn(dataDir))) {
    if (holdsData(dataDir)) throw secretsError(dataDir, "is missing");
    return {};
  }
  let text: string;
  try {
    text = readFileSync(pathIn(dataDir), "utf8");
  } catch (error) {
    throw explainFileError(error);
  }
  return (
    StoredSecrets.safeParse(parseJson(text)).data ??
    fail(secretsError(dataDir, "is broken: it holds no JSON object of texts"))
  );
}

const StoredSecrets: z.ZodType<Partial<Secrets>> = z.record(z.string(), z.string().min(1));

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(error: Error): never {
  throw error;
}

export const saveSecrets = (dataDir: string, secrets: Partial<Secrets>): void =>
  writePrivateFile(pathIn(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);

/** Generates missing secrets, including those that a later version adds, and saves them. */
export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const existing = readSecrets(dataDir);
  const secrets = { ...(await generateSecrets()), ...existing };
  const broken = await brokenSecrets(secrets);
  if (broken.length) throw secretsError(dataDir, `is broken: ${broken.join(" and ")} can be no key`);
  if (Object.keys(secrets).length > Object.keys(existing).length) {
    saveSecrets(dataDir, secrets);
  }
  return secrets;
}

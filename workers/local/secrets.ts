import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import * as z from "zod";
import { brokenSecrets } from "../../functions/health/secrets.ts";
import { explainFileError } from "./data-dir.ts";
import { writePrivateFile } from "./private-file.ts";

export type Secrets = {
  /** JSON: `{"keys":[…]}`, ES256 private JWKs; the first signs, the others are only published. */
  JWT_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated; the first signs, all verify. */
  SIGNING_KEYS: string;
  /** As SIGNING_KEYS, for what is encrypted at rest. */
  SEAL_KEYS: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  /** Between Worker and transcoder. */
  TRANSCODER_SECRET: string;
  DATABASE_OWNER_PASSWORD: string;
  DATABASE_APP_PASSWORD: string;
};

async function signingKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "ES256", use: "sig" };
}

const key = () => randomBytes(32).toString("base64");
const password = () => randomBytes(24).toString("base64url");

const fresh = async (): Promise<Secrets> => ({
  JWT_KEYS: JSON.stringify({ keys: [await signingKey(), await signingKey()] }),
  SIGNING_KEYS: key(),
  SEAL_KEYS: key(),
  S3_ACCESS_KEY_ID: `SP${randomBytes(9).toString("hex").toUpperCase()}`,
  S3_SECRET_ACCESS_KEY: password(),
  TRANSCODER_SECRET: password(),
  DATABASE_OWNER_PASSWORD: password(),
  DATABASE_APP_PASSWORD: password(),
});

const pathIn = (dataDir: string) => `${dataDir}/secrets.json`;

/** Without them nobody reads the data beside them any more: they are never replaced by others. */
const unusable = (dataDir: string, why: string) =>
  new Error(
    `${pathIn(dataDir)} ${why}. The data in ${dataDir} cannot be read without it: put back a copy of the file. ` +
      "To begin with nothing, choose another directory: DATA_DIR=/a/path npm start",
  );

export function readSecrets(dataDir: string): Partial<Secrets> {
  if (!existsSync(pathIn(dataDir))) {
    if (existsSync(`${dataDir}/postgres/PG_VERSION`)) throw unusable(dataDir, "is missing");
    return {};
  }
  let text: string;
  try {
    text = readFileSync(pathIn(dataDir), "utf8");
  } catch (error) {
    throw explainFileError(error);
  }
  return (
    Kept.safeParse(parsed(text)).data ??
    fail(unusable(dataDir, "is broken: it holds no JSON object of texts"))
  );
}

const Kept: z.ZodType<Partial<Secrets>> = z.record(z.string(), z.string().min(1));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(error: Error): never {
  throw error;
}

/** Generated once; a secret that a later version adds is added to those kept. */
export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const kept = readSecrets(dataDir);
  const secrets = { ...(await fresh()), ...kept };
  const broken = await brokenSecrets(secrets);
  if (broken.length) throw unusable(dataDir, `is broken: ${broken.join(" and ")} can be no key`);
  if (Object.keys(secrets).length > Object.keys(kept).length) {
    writePrivateFile(pathIn(dataDir), `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return secrets;
}

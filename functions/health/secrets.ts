import type { Env } from "../http/env.ts";
import { checkJwtKeys } from "../oauth/access-token.ts";
import { sealsWhole } from "../security/sealing.ts";
import { signsWhole } from "../security/signing.ts";

export type Secrets = Pick<Env, "JWT_KEYS" | "SIGNING_KEYS" | "SEAL_KEYS">;

/** Returns the names of missing or broken secrets. */
export async function brokenSecrets(secrets: Secrets): Promise<string[]> {
  const checks: [keyof Secrets, () => unknown][] = [
    ["JWT_KEYS", () => checkJwtKeys(secrets)],
    ["SIGNING_KEYS", () => signsWhole(secrets)],
    ["SEAL_KEYS", () => sealsWhole(secrets)],
  ];
  const broken: string[] = [];
  for (const [name, check] of checks) {
    try {
      await check();
    } catch {
      broken.push(name);
    }
  }
  return broken;
}

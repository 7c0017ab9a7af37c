import { checkJwtKeys } from "../../lib/http/access-token.ts";
import type { Env } from "../../lib/http/env.ts";
import { checkSealKeys } from "../../lib/security/sealing.ts";
import { checkSigningKeys } from "../../lib/security/signing.ts";

type Secrets = Pick<Env, "JWT_KEYS" | "SIGNING_KEYS" | "SEAL_KEYS">;

/** Returns the names of missing or broken secrets. */
export async function brokenSecrets(secrets: Secrets): Promise<string[]> {
  const checks: [keyof Secrets, () => unknown][] = [
    ["JWT_KEYS", () => checkJwtKeys(secrets)],
    ["SIGNING_KEYS", () => checkSigningKeys(secrets)],
    ["SEAL_KEYS", () => checkSealKeys(secrets)],
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

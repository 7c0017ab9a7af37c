import { createHash } from "node:crypto";
import { askCloudflare } from "./cloudflare.ts";
import { accountOf, bucketOf, type Environment } from "./environment.ts";
import { Refused } from "./wrangler.ts";

/** Cloudflare's name of the right to read and write the objects of named buckets. */
const PERMISSION = "Workers R2 Storage Bucket Item Write";

const BY_HAND =
  "Or make one in the dashboard, for the two buckets, and set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY";

/**
 * Makes an R2 token for the two buckets alone, and returns it as S3 keys: the token's id, and the SHA-256 of its value
 * (developers.cloudflare.com/r2/api/tokens).
 */
export async function makeStorageToken(into: Environment) {
  const account = accountOf(into);
  if (!account) throw new Refused("S3_ENDPOINT names no account");
  const apiToken = process.env.CLOUDFLARE_API_TOKEN;
  if (!apiToken)
    throw new Refused(
      "An R2 token is made with CLOUDFLARE_API_TOKEN, which may edit the account's tokens.",
      BY_HAND,
    );
  const call = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const { success, errors, result } = await askCloudflare<Result>(
      apiToken,
      method,
      `/accounts/${account}${path}`,
      body,
    ).catch((error: Error) => silent(method, path, error.message));
    if (success) return result;
    throw new Refused(
      `Cloudflare refuses ${method} ${path}:`,
      ...errors.map(({ message }) => message),
      "Run the same command again with a CLOUDFLARE_API_TOKEN that may edit the account's tokens.",
      BY_HAND,
    );
  };
  const groups = await call<{ id: string; name: string }[]>("GET", "/tokens/permission_groups");
  const group = groups.find(({ name }) => name === PERMISSION);
  if (!group)
    throw new Refused(`Cloudflare knows no permission ${PERMISSION}, so no R2 token can be made.`, BY_HAND);
  const buckets = (["UPLOADS", "MEDIA"] as const).map((binding) => bucketOf(into, binding));
  const resources = buckets.map((bucket) => [
    `com.cloudflare.edge.r2.bucket.${account}_default_${bucket}`,
    "*",
  ]);
  const { id, value } = await call<{ id: string; value: string }>("POST", "/tokens", {
    name: into.name,
    policies: [
      { effect: "allow", permission_groups: [{ id: group.id }], resources: Object.fromEntries(resources) },
    ],
  });
  return { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: createHash("sha256").update(value).digest("hex") };
}

function silent(method: string, path: string, why: string): never {
  throw new Refused(
    `Cloudflare does not answer ${method} ${path}: ${why}`,
    "Run the same command again, which keeps what is made.",
    BY_HAND,
  );
}

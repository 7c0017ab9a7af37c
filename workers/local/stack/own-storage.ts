import { HeadBucketCommand, PutBucketCorsCommand, type S3Client } from "@aws-sdk/client-s3";
import { s3Client } from "../../../db/objects/s3-client.ts";
import { BUCKETS, MEDIA_BUCKET, UPLOADS_BUCKET } from "../worker/bindings.ts";
import type { OwnStorage } from "./own-parts.ts";

const PATIENCE_MS = 10_000;

type Use = { bucket: string; rules: (typeof BUCKETS)[keyof typeof BUCKETS]["cors"] };

const usesOf = (storage: OwnStorage): Use[] => [
  { bucket: storage.S3_UPLOADS_BUCKET, rules: BUCKETS[UPLOADS_BUCKET].cors },
  { bucket: storage.S3_MEDIA_BUCKET, rules: BUCKETS[MEDIA_BUCKET].cors },
];

/** Refuses storage without its buckets, and lets browsers in where the storage allows us to say so. */
export async function prepareStorage(storage: OwnStorage, webUrl: string, log: (line: string) => void) {
  const faults = await bucketFaults(storage);
  if (faults.length) throw new Error(faults.join("\n"));
  const client = s3Client(storage);
  for (const use of usesOf(storage)) {
    if (await letsBrowsersIn(storage, use, webUrl)) continue;
    await setRules(client, use).catch(() => {});
    if (!(await letsBrowsersIn(storage, use, webUrl))) log(corsFault(use));
  }
}

/** Returns a sentence for each bucket that does not answer. */
export async function bucketFaults(storage: OwnStorage): Promise<string[]> {
  const client = s3Client(storage);
  const faults = usesOf(storage).map(async ({ bucket }) => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), {
        abortSignal: AbortSignal.timeout(PATIENCE_MS),
      });
      return [];
    } catch (error) {
      return [`Storage at ${storage.S3_ENDPOINT}: bucket ${bucket} ${reasonOf(error)}`];
    }
  });
  return (await Promise.all(faults)).flat();
}

function reasonOf(error: unknown): string {
  const { $metadata, message } = error as { $metadata?: { httpStatusCode?: number }; message: string };
  const status = $metadata?.httpStatusCode;
  if (status === 404) return "does not exist. Create it, or name yours: S3_UPLOADS_BUCKET, S3_MEDIA_BUCKET";
  if (status === 403)
    return "is closed to S3_ACCESS_KEY_ID: it needs to list, read, write and delete objects";
  return `does not answer: ${status ?? message}. See S3_ENDPOINT and S3_REGION`;
}

/** Asks like a browser of the site. Some storages let all pages in and know no rules. */
export async function corsFaults(storage: OwnStorage, webUrl: string): Promise<string[]> {
  const uses = usesOf(storage);
  const allowed = await Promise.all(uses.map((use) => letsBrowsersIn(storage, use, webUrl)));
  return uses.filter((_, place) => !allowed[place]).map(corsFault);
}

async function letsBrowsersIn(storage: OwnStorage, { bucket, rules }: Use, webUrl: string): Promise<boolean> {
  for (const method of rules.flatMap(({ allowed }) => allowed.methods)) {
    const reply = await fetch(new URL(`/${bucket}/probe`, storage.S3_ENDPOINT), {
      method: "OPTIONS",
      headers: { Origin: webUrl, "Access-Control-Request-Method": method },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => undefined);
    await reply?.body?.cancel();
    if (!["*", webUrl].includes(reply?.headers.get("Access-Control-Allow-Origin") ?? "")) return false;
  }
  return true;
}

const setRules = (client: S3Client, { bucket, rules }: Use) =>
  client.send(
    new PutBucketCorsCommand({
      Bucket: bucket,
      CORSConfiguration: {
        CORSRules: rules.map(({ allowed, exposeHeaders, maxAgeSeconds }) => ({
          AllowedOrigins: allowed.origins,
          AllowedMethods: allowed.methods,
          AllowedHeaders: allowed.headers,
          ExposeHeaders: exposeHeaders,
          MaxAgeSeconds: maxAgeSeconds,
        })),
      },
    }),
    { abortSignal: AbortSignal.timeout(PATIENCE_MS) },
  );

const corsFault = ({ bucket, rules }: Use): string => {
  const [rule] = rules;
  return (
    `Browsers cannot use bucket ${bucket}: give it a CORS rule for all origins with ${rule?.allowed.methods.join(" and ")}, ` +
    `all headers, that exposes ${rule?.exposeHeaders.join(", ")}`
  );
};

/** A database of the operator's, instead of the embedded one. */
export type OwnDatabase = {
  /** The owner's direct address, for migrations. */
  ownerUrl: string;
  /** The service's address. Without one, a role is created for it. */
  appUrl: string | undefined;
};

/** Storage of the operator's, instead of the embedded one. Also variables of the Worker. */
export type OwnStorage = Record<
  | "S3_ENDPOINT"
  | "S3_REGION"
  | "S3_ACCESS_KEY_ID"
  | "S3_SECRET_ACCESS_KEY"
  | "S3_UPLOADS_BUCKET"
  | "S3_MEDIA_BUCKET",
  string
>;

type Given = Record<string, string | undefined>;

export function readOwnDatabase(given: Given, problems: string[]): OwnDatabase | undefined {
  const { DATABASE_URL, MIGRATOR_DATABASE_URL } = given;
  for (const [name, url] of Object.entries({ DATABASE_URL, MIGRATOR_DATABASE_URL })) {
    if (!url) continue;
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^postgres(?:ql)?:$/.test(parsed.protocol) || parsed.pathname.length < 2)
      problems.push(`${name} must be an address such as postgres://user:password@host/database`);
    // Migrations run under a session lock, which a pooler would not preserve.
    else if (
      (name === "MIGRATOR_DATABASE_URL" || !MIGRATOR_DATABASE_URL) &&
      /-pooler\./.test(parsed.hostname)
    )
      problems.push(`${name} leads through a pooler: migrations need the direct address, without -pooler`);
  }
  if (MIGRATOR_DATABASE_URL && !DATABASE_URL)
    problems.push("MIGRATOR_DATABASE_URL is set, but DATABASE_URL is not");
  if (!DATABASE_URL) return undefined;
  return MIGRATOR_DATABASE_URL
    ? { ownerUrl: MIGRATOR_DATABASE_URL, appUrl: DATABASE_URL }
    : { ownerUrl: DATABASE_URL, appUrl: undefined };
}

export function readOwnStorage(given: Given, problems: string[]): OwnStorage | undefined {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID = "", S3_SECRET_ACCESS_KEY = "" } = given;
  if (!S3_ENDPOINT) return undefined;
  if (!/^https?:/.test(S3_ENDPOINT) || !URL.canParse(S3_ENDPOINT))
    problems.push(`S3_ENDPOINT must be an address such as https://s3.example.com, not "${S3_ENDPOINT}"`);
  for (const [name, text] of Object.entries({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }))
    if (!text) problems.push(`${name} is missing, which S3_ENDPOINT needs`);
  return {
    S3_ENDPOINT,
    S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY,
    S3_REGION: given.S3_REGION || "auto",
    S3_UPLOADS_BUCKET: given.S3_UPLOADS_BUCKET || "soundpost-uploads",
    S3_MEDIA_BUCKET: given.S3_MEDIA_BUCKET || "soundpost-media",
  };
}

import { MOST_TRANSCODERS, type StackPorts, type StackUrls } from "../stack/record.ts";
import type { Secrets } from "../stack/secrets.ts";
import { innerUrl } from "./loopback.ts";

export const UPLOADS_BUCKET = "soundpost-uploads";
export const MEDIA_BUCKET = "soundpost-media";

/**
 * R2's own form, as `wrangler r2 bucket cors set` takes it. Browsers upload parts, download originals and read media directly.
 */
export const BUCKETS = {
  [UPLOADS_BUCKET]: {
    cors: [
      {
        allowed: { origins: ["*"], methods: ["PUT", "GET", "HEAD"], headers: ["*"] },
        exposeHeaders: ["Content-Disposition", "Content-Length", "Content-Range", "Accept-Ranges", "ETag"],
        maxAgeSeconds: 3600,
      },
    ],
  },
  [MEDIA_BUCKET]: {
    cors: [
      {
        allowed: { origins: ["*"], methods: ["GET", "HEAD"], headers: ["*"] },
        exposeHeaders: ["Content-Length", "Content-Range", "Accept-Ranges", "ETag"],
        maxAgeSeconds: 3600,
      },
    ],
  },
};

type BindingsOptions = {
  urls: StackUrls;
  ports: StackPorts;
  mailPort: number;
  /** Unset, plays pass through workerd's own queue. */
  playsPort?: number;
  secrets: Secrets;
  proxyUrl: string;
  transcoders?: number;
  /** JSON, empty by default. */
  connectionServices?: string | undefined;
};

const storedAt = ({ objects }: StackPorts) => `http://localhost:${objects}`;

/** Variables and secrets that a deployment gets from its environment. */
export const workerBindings = ({
  urls,
  ports,
  mailPort,
  playsPort,
  secrets,
  proxyUrl,
  transcoders = MOST_TRANSCODERS,
  connectionServices = "{}",
}: BindingsOptions) => ({
  ENVIRONMENT: "local",
  API_URL: urls.api,
  AUTH_URL: urls.auth,
  WEB_URL: urls.web,
  OLDER_API_URL: urls.older,
  REGISTRATION: "open",
  OLDER_BEHAVIOUR: "on",
  // Scripts of developers create accounts.
  PROOF_OF_WORK: "off",
  URN_NAMESPACE: "soundcloud",
  // The driver never resolves this host. The proxy reaches one database only.
  DATABASE_URL: `postgres://soundpost_app:${secrets.DATABASE_APP_PASSWORD}@db.local/soundpost`,
  DATABASE_PROXY_URL: proxyUrl,
  CHECK_REPLIES: "on",
  S3_ENDPOINT: storedAt(ports),
  ...(urls.objects !== storedAt(ports) && { OBJECTS_URL: urls.objects }),
  S3_ACCESS_KEY_ID: secrets.S3_ACCESS_KEY_ID,
  S3_SECRET_ACCESS_KEY: secrets.S3_SECRET_ACCESS_KEY,
  S3_UPLOADS_BUCKET: UPLOADS_BUCKET,
  S3_MEDIA_BUCKET: MEDIA_BUCKET,
  TRANSCODER_URLS: Array.from(
    { length: transcoders },
    (_, place) => `http://127.0.0.1:${ports.transcoder + place}`,
  ).join(" "),
  TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
  TRANSCODER_CALLBACK_URL: `http://127.0.0.1:${ports.gateway}`,
  WEBHOOK_TARGETS: "anywhere",
  // Nobody restores a developer's database to last week.
  DELETED_OBJECTS_DAYS: "0",
  // One isolate answers everybody, and has the machine's memory.
  FORM_MEMORY_MIB: "256",
  MAIL_FROM: "Soundpost <noreply@soundpost.example>",
  REPORTS_TO: "reports@soundpost.example",
  SECURITY_CONTACT: "security@soundpost.example",
  MAIL_URL: innerUrl(mailPort, secrets.TRANSCODER_SECRET),
  ...(playsPort && { PLAYS_URL: innerUrl(playsPort, secrets.TRANSCODER_SECRET) }),
  JWT_KEYS: secrets.JWT_KEYS,
  SIGNING_KEYS: secrets.SIGNING_KEYS,
  SEAL_KEYS: secrets.SEAL_KEYS,
  CONNECTION_SERVICES: connectionServices,
});

/** The replica's address. The driver finds a proxy by its host. */
export const readBindings = (secrets: Secrets, proxyPort: number) => ({
  READ_DATABASE_URL: `postgres://soundpost_app:${secrets.DATABASE_APP_PASSWORD}@replica.local/soundpost`,
  READ_DATABASE_PROXY_URL: `${innerUrl(proxyPort, secrets.TRANSCODER_SECRET)}/sql`,
});

/** The Worker's address of a database. The driver never resolves its host, because the proxy reaches one only. */
export function behindNeonProxy(databaseUrl: string): string {
  const { username, password, pathname } = new URL(databaseUrl);
  return `postgres://${username}:${password}@db.local${pathname}`;
}

/** Closes what only a developer's own machine may leave open. The operator's settings go before. */
export const publicBindings = ({ web }: Pick<StackUrls, "web">, sendsMail: boolean) => ({
  REGISTRATION: "invite",
  ...(!sendsMail && { UNMAILED: "on" }),
  WEBHOOK_TARGETS: "public",
  DELETED_OBJECTS_DAYS: "7",
  MAIL_FROM: `Soundpost <noreply@${new URL(web).hostname}>`,
  REPORTS_TO: "",
  SECURITY_CONTACT: "",
});

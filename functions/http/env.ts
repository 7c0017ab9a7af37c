import type { DurableObjectNamespace, Queue, R2Bucket, SendEmail } from "@cloudflare/workers-types";
import type { Database } from "../../db/client.ts";
import type { Play } from "../../db/queries/plays.ts";
import type { RequestLog } from "./log.ts";

/** A queue message only points at the job's row, which is the truth. */
export interface JobPointer {
  track: number;
  generation: number;
}

/** As jobs: the row is the truth. */
export interface DeliveryPointer {
  delivery: number;
}

/** Variables, secrets and bindings of `wrangler.toml`; locally `workers/local` supplies them. */
export interface Env {
  ENVIRONMENT: string;
  /** Prefixes of every absolute URL that the service emits. They may be one origin. */
  API_URL: string;
  AUTH_URL: string;
  WEB_URL: string;
  OLDER_API_URL?: string;
  OLDER_BEHAVIOUR: "on" | "off";
  URN_NAMESPACE: string;
  /** On, a cron puts the data back to a snapshot, if the database too says that it is a sandbox. */
  SANDBOX?: "on";
  /** Budgets: a number, or `off`; unset, what `http/budgets.ts` says. Of each user, but sign-ups of each address and deliveries of each host. */
  LIKES_PER_HOUR?: string;
  REPOSTS_PER_HOUR?: string;
  FOLLOWS_PER_HOUR?: string;
  COMMENTS_PER_HOUR?: string;
  PLAYLIST_EDITS_PER_HOUR?: string;
  SIGN_UPS_PER_HOUR?: string;
  WEBHOOK_TESTS_PER_HOUR?: string;
  WEBHOOK_REPLAYS_PER_HOUR?: string;
  WEBHOOK_DELIVERIES_PER_HOST_PER_MINUTE?: string;

  DATABASE_URL: string;
  /** Local only: the proxy that speaks the Neon driver's protocol. */
  DATABASE_PROXY_URL?: string;
  /** Local only: what functions of the database answer is held against its shape. */
  CHECK_REPLIES?: "on" | "off";
  /** `{"keys": [current, next, previous…]}`, ES256 private keys. */
  JWT_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated: the first signs, all verify. */
  SIGNING_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated: the first seals, all open. */
  SEAL_KEYS: string;

  /** JSON: other services by name, where we are an OAuth client; `{}` where none is offered. `connections/services.ts` */
  CONNECTION_SERVICES: string;

  S3_ENDPOINT: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  S3_UPLOADS_BUCKET: string;
  S3_MEDIA_BUCKET: string;
  /** Deployed only; locally everything speaks S3. */
  UPLOADS?: R2Bucket;
  MEDIA?: R2Bucket;

  /** The address that mails come from. */
  MAIL_FROM: string;
  /** The platform's e-mail binding; locally MAIL_URL stands in for it. */
  MAIL?: SendEmail;
  MAIL_URL?: string;

  JOBS: Queue<JobPointer>;
  PLAYS: Queue<Play>;
  WEBHOOKS: Queue<DeliveryPointer>;
  /** Local only: `anywhere` lets webhooks be sent to private addresses, and by plain http. */
  WEBHOOK_TARGETS?: string;
  /** DNS over HTTPS, by which targets of webhooks are looked up. Unset: Cloudflare's. */
  DNS_URL?: string;
  /** Of connections that have something to be posted to. */
  CONNECTION_POSTS: Queue<{ connection: number }>;
  /** Deployed: the container. Locally TRANSCODER_URL stands in for it. */
  TRANSCODER?: DurableObjectNamespace;
  TRANSCODER_URL?: string;
  /** Local only: what that transcoder asks of whoever comes. */
  TRANSCODER_SECRET?: string;
  /** Where the transcoder finds source, outputs and reports. Unset: `http://worker.internal`. */
  TRANSCODER_CALLBACK_URL?: string;
}

/** Who asks: an app, and the user that it asks for, or none. */
export interface Viewer {
  sessionId: number;
  clientId: string;
  userId: number | null;
}

export interface SignedInViewer extends Viewer {
  userId: number;
}

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    log: RequestLog;
    db: Database;
    viewer: Viewer | null;
  };
}

/** Of routes with `auth: "user"`. */
export interface UserEnv extends AppEnv {
  Variables: AppEnv["Variables"] & { viewer: SignedInViewer };
}

/** Of routes with `auth: "token"` or `"app"`. */
export interface TokenEnv extends AppEnv {
  Variables: AppEnv["Variables"] & { viewer: Viewer };
}

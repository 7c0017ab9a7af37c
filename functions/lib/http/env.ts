import type {
  DurableObjectNamespace,
  Fetcher,
  Hyperdrive,
  Queue,
  R2Bucket,
  SendEmail,
} from "@cloudflare/workers-types";
import type { Database } from "../../../db/client.ts";
import type { Play } from "../../../db/queries/plays.ts";
import type { RequestLog } from "./log.ts";
import type { Scope } from "./scopes.ts";

/** Points at the job's row, which holds the facts. */
export interface JobPointer {
  track: number;
  generation: number;
}

/** Points at the delivery's row, which holds the facts. */
interface DeliveryPointer {
  delivery: number;
}

/** Points at the mail's row, which holds the facts. */
interface MailPointer {
  mail: number;
}

/** Variables, secrets and bindings of `wrangler.toml`. Locally `workers/local` provides them. */
export interface Env {
  ENVIRONMENT: string;
  /** Prefixes of every absolute URL in replies. They may share one origin. */
  API_URL: string;
  AUTH_URL: string;
  WEB_URL: string;
  OLDER_API_URL?: string;
  OLDER_BEHAVIOUR: "on" | "off";
  /** Decides who may sign up: see `registration.ts`. */
  REGISTRATION?: string;
  /** The mailbox or page of whoever gives invitations and accounts, for the pages that say so. */
  REGISTRATION_CONTACT?: string;
  /** One's own server only: no mail leaves it, so nobody could confirm an address. */
  UNMAILED?: "on";
  /** `off`: everybody may register apps. Otherwise that needs a paid plan, as the specification says. */
  APPS_NEED_PLAN?: "on" | "off";
  /** `off`: programs may create accounts. Otherwise a browser solves a puzzle, of this many hashes on average. */
  PROOF_OF_WORK?: "on" | "off";
  PROOF_OF_WORK_HASHES?: string;
  /** Keys of the operator's Turnstile widget, which takes the puzzle's place. */
  TURNSTILE_SITE_KEY?: string;
  TURNSTILE_SECRET?: string;
  /** Tests only: a stand-in for Turnstile's check of tokens. */
  TURNSTILE_VERIFY_URL?: string;
  /** Domains that accounts' addresses must be at, or must not be at, with spaces or commas between. */
  MAIL_DOMAINS_ALLOWED?: string;
  MAIL_DOMAINS_REFUSED?: string;
  URN_NAMESPACE: string;
  /** The instance's name on its pages, and the sentence that greets visitors. */
  SITE_NAME?: string;
  SITE_WORDS?: string;
  /** Address or path of the track or set that leads the page of visitors. Default: the week's most liked. */
  SITE_FEATURED?: string;
  /** Plain text, or the URL of the operator's own page. Empty lines separate paragraphs. */
  TERMS_TEXT?: string;
  PRIVACY_TEXT?: string;
  /** `off`: browsers keep no pages for when they have no network, and forget those they kept. */
  OFFLINE_PAGES?: "on" | "off";
  /** The operator's mailbox for reports about content. Without it the form is closed. */
  REPORTS_TO?: string;
  /** A mailbox or URL for security reports, published in `/.well-known/security.txt`. */
  SECURITY_CONTACT?: string;
  /** A secret that opens `/metrics` to scrapers. Without it the page does not exist. */
  METRICS_TOKEN?: string;
  /** The folder of this deployment's static files, which the deploy sets. */
  ASSETS_VERSION: string;
  /** Reads static files. */
  ASSETS: Pick<Fetcher, "fetch">;
  /** `on`: a cron restores a snapshot, if the database is marked as a sandbox, too. */
  SANDBOX?: "on";
  /**
   * Budgets: a number or `off`; the default is in `http/limits/budgets.ts`. Each counts by user and app, except sign-ups
   * and reports by address and deliveries by host.
   */
  LIKES_PER_HOUR?: string;
  REPOSTS_PER_HOUR?: string;
  FOLLOWS_PER_HOUR?: string;
  COMMENTS_PER_HOUR?: string;
  SHARES_PER_HOUR?: string;
  CREDITS_PER_HOUR?: string;
  PLAYLIST_EDITS_PER_HOUR?: string;
  SIGN_UPS_PER_HOUR?: string;
  REPORTS_PER_HOUR?: string;
  APP_REGISTRATIONS_PER_HOUR?: string;
  PODCAST_IMPORTS_PER_HOUR?: string;
  WEBHOOK_TESTS_PER_HOUR?: string;
  WEBHOOK_REPLAYS_PER_HOUR?: string;
  EVENT_STREAMS_PER_HOUR?: string;
  WEBHOOK_DELIVERIES_PER_HOST_PER_MINUTE?: string;
  /** Days for which files stay in storage after their rows; the default is in `http/retention.ts`. */
  DELETED_OBJECTS_DAYS?: string;
  /** `downloadable`: originals of finished tracks are deleted after a while, unless others may download them. */
  RETENTION?: "keep" | "downloadable";
  /** Mebibytes of a request that the network before the service takes. Unset: as many as the service. */
  EDGE_BODY_LIMIT_MB?: string;
  /** Mebibytes of forms that an isolate holds at the same time; the default is in `http/body/form-memory.ts`. */
  FORM_MEMORY_MIB?: string;

  DATABASE_URL: string;
  /** Tests only: hashes passwords at an insecure cost. */
  CHEAP_PASSWORDS?: "on";
  /** Local only: the proxy that speaks the Neon driver's protocol. */
  DATABASE_PROXY_URL?: string;
  /** Transport of statements: Neon's HTTP, or PostgreSQL's protocol over TCP. See db/README.md. */
  DATABASE_TRANSPORT?: "neon-http" | "pg";
  /** Its address replaces DATABASE_URL. It selects `pg`. */
  HYPERDRIVE?: Pick<Hyperdrive, "connectionString">;
  /** A replica for reads: its address, its local proxy, and the Hyperdrive in front of it. */
  READ_DATABASE_URL?: string;
  READ_DATABASE_PROXY_URL?: string;
  READ_HYPERDRIVE?: Pick<Hyperdrive, "connectionString">;
  /** Local only: checks replies of database functions against their shapes. */
  CHECK_REPLIES?: "on" | "off";
  /** `{"keys": [current, next, previous…]}`, ES256 private keys. */
  JWT_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated. The first signs, all verify. */
  SIGNING_KEYS: string;
  /** Base64 of 32 bytes each, comma-separated. The first seals, all open. */
  SEAL_KEYS: string;

  /**
   * JSON of other services by name, where Soundpost is an OAuth client; `{}` for none. See
   * `connections/services.ts`.
   */
  CONNECTION_SERVICES: string;

  S3_ENDPOINT: string;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
  /** Local only: the region of the operator's own storage. */
  S3_REGION?: string;
  /** Local only: the storage's URL for clients, behind the operator's proxy. */
  OBJECTS_URL?: string;
  S3_UPLOADS_BUCKET: string;
  S3_MEDIA_BUCKET: string;
  /** Deployed only; locally everything speaks S3. */
  UPLOADS?: R2Bucket;
  MEDIA?: R2Bucket;

  /** Sender of mails. */
  MAIL_FROM: string;
  /** The platform's e-mail binding. Locally MAIL_URL replaces it, the URL of a stand-in. */
  MAIL?: SendEmail;
  MAIL_URL?: string;

  /** Deployed only: counts requests of each network address, before the database is asked. */
  FLOOD_GATE?: { limit(options: { key: string }): Promise<{ success: boolean }> };
  JOBS: Queue<JobPointer>;
  PLAYS: Queue<Play>;
  /** Further queues of plays, for more than 5,000 a second. */
  PLAYS_2?: Queue<Play>;
  PLAYS_3?: Queue<Play>;
  PLAYS_4?: Queue<Play>;
  /** Local only: a queue that survives restarts, in place of those. */
  PLAYS_URL?: string;
  WEBHOOKS: Queue<DeliveryPointer>;
  MAILS: Queue<MailPointer>;
  /** Podcasts that move in, with episodes to fetch. */
  IMPORTS: Queue<{ import: number }>;
  /** Local only: `anywhere` allows webhooks and imports to private addresses, and webhooks over plain http. */
  WEBHOOK_TARGETS?: string;
  /** Local only: a network without private addresses, for webhooks and imports. The platform's has none. */
  PUBLIC_NETWORK?: Pick<Fetcher, "fetch">;
  /** DNS over HTTPS that resolves webhook targets. Default: Cloudflare's. */
  DNS_URL?: string;
  /** Connections with pending posts. */
  CONNECTION_POSTS: Queue<{ connection: number }>;
  /** Deployed: the containers. Locally TRANSCODER_URLS replace them, separated by spaces. */
  TRANSCODER?: DurableObjectNamespace;
  TRANSCODER_URLS?: string;
  /** Number of containers in the pool. */
  TRANSCODERS?: string;
  /** Local only: the secret that the transcoder expects. */
  TRANSCODER_SECRET?: string;
  /** Local only: the secret that the front sends with each request. */
  FRONT_SECRET?: string;
  /**
   * Where the transcoder fetches sources and sends outputs and reports. Default: `http://worker.internal`.
   */
  TRANSCODER_CALLBACK_URL?: string;
}

/** The app that calls, and the user it acts for, if any. */
export interface Viewer {
  sessionId: number;
  clientId: string;
  userId: number | null;
  /** Limits of the token. Absent: it may do everything. */
  scopes?: Scope[];
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
    /** Handles a page's call to the API within the Worker. Pages use `ui/own-api.ts`. */
    answerInner: (request: Request) => Promise<Response>;
  };
}

/** Environment of routes with `auth: "user"`. */
export interface UserEnv extends AppEnv {
  Variables: AppEnv["Variables"] & { viewer: SignedInViewer };
}

/** Environment of routes with `auth: "token"` or `"app"`. */
export interface TokenEnv extends AppEnv {
  Variables: AppEnv["Variables"] & { viewer: Viewer };
}

import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Position } from "../../db/replica.ts";
import type { AppEnv } from "./env.ts";

/**
 * Carries a reader's latest change from one request to the next, in the client's hands: requests of one reader reach
 * any isolate. Clients of the API return the header; browsers return a cookie to the site.
 */
const READ_AFTER = "Read-After";
const COOKIE = "read-after";

/** Seconds. Longer than any replica that is asked may be behind. */
const COOKIE_TTL_S = 20;

/** A transaction id of PostgreSQL: 64 bits. */
const ID = /^\d{1,19}$/;

declare module "hono" {
  interface ContextVariableMap {
    /** Unset in a preflight. */
    readerPosition: ReaderPosition | undefined;
  }
}

/** A request's reader, and what it has written. */
export class ReaderPosition implements Position {
  readonly #c: Context<AppEnv>;
  readonly #isApi: boolean;
  /** The latest change of this request. */
  #written: string | undefined;

  constructor(c: Context<AppEnv>, isApi: boolean) {
    this.#c = c;
    this.#isApi = isApi;
  }

  /** A user's client that returns no header may have written a moment ago, so the primary answers it. */
  after(): string | undefined {
    const carried = this.#carried();
    if (carried === undefined && this.#isApi && this.#c.get("viewer")?.userId) return undefined;
    return later(carried ?? "0", this.#written ?? "0");
  }

  wrote(id: string): void {
    this.#written = later(id, this.#written ?? "0");
  }

  /** Adds the change to the reply. Pages get a cookie; endpoints that any page may call set none. */
  tell(headers: Headers, isOpen: boolean): void {
    if (this.#written === undefined) return;
    const latest = later(this.#written, this.#carried() ?? "0");
    headers.set(READ_AFTER, latest);
    if (!isOpen)
      headers.append("Set-Cookie", `${COOKIE}=${latest}; Max-Age=${COOKIE_TTL_S}; Path=/; SameSite=Lax`);
  }

  #carried(): string | undefined {
    const given = this.#c.req.header(READ_AFTER) ?? getCookie(this.#c, COOKIE);
    return given !== undefined && ID.test(given) ? given : undefined;
  }
}

const later = (one: string, other: string): string => (BigInt(one) > BigInt(other) ? one : other);

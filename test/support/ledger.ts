/** One exchange, seen from the client. */
interface Exchange {
  method: string;
  path: string;
  sent?: unknown;
  status: number;
  body: unknown;
  /** The client that sent an `Idempotency-Key`, and the key. */
  key?: string | undefined;
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;

/** Replies to the writes of a test file, to compare with the stored rows. */
export class Ledger {
  /** Tracks created with 201. */
  readonly accepted = new Set<number>();
  /** Tracks deleted with 200. */
  readonly deleted = new Set<number>();
  /** Tracks whose media a test declares without storing any. */
  readonly claimed = new Set<number>();
  /** Original bytes by track. */
  readonly originals = new Map<number, Blob>();
  /** Statuses of attempts to create a track from an upload, or an app by name. */
  readonly attempts = { uploads: new Map<string, number[]>(), apps: new Map<string, number[]>() };
  readonly replies: { key: string; reply: string }[] = [];

  /** Empties the ledger for the next test file. */
  clear(): void {
    for (const noted of [this.accepted, this.deleted, this.claimed, this.originals]) noted.clear();
    for (const attempts of Object.values(this.attempts)) attempts.clear();
    this.replies.length = 0;
  }

  note({ method, path, sent, status, body, key }: Exchange): void {
    const id = Number(fieldOf(body, "id"));
    const made = method === "POST" ? /^\/(?:me\/)?(tracks|apps)(?:\.\w+)?$/.exec(path)?.[1] : undefined;
    if (made === "tracks") this.#attempt("uploads", fieldOf(fieldOf(sent, "track"), "upload_id"), status);
    if (made === "apps") this.#attempt("apps", fieldOf(sent, "name"), status);
    if (made === "tracks" && status === 201 && Number.isFinite(id)) this.accepted.add(id);
    const deleted = method === "DELETE" ? /^\/tracks\/(\d+)(?:\.\w+)?$/.exec(path)?.[1] : undefined;
    if (deleted && status === 200) this.deleted.add(Number(deleted));
    if (key !== undefined && made && status < 300) this.replies.push({ key, reply: String(id) });
  }

  #attempt(what: "uploads" | "apps", which: unknown, status: number): void {
    if (which === undefined) return;
    const attempts = this.attempts[what];
    attempts.set(String(which), [...(attempts.get(String(which)) ?? []), status]);
  }

  /** Attempts that were all refused. The outcome of a 504 is unknown. */
  refused(what: "uploads" | "apps"): string[] {
    const isRefusal = (status: number) => status === 503 || (status >= 400 && status < 500);
    return [...this.attempts[what]]
      .filter(([, statuses]) => statuses.every(isRefusal))
      .map(([which]) => which);
  }
}

/** Upper bounds of the histogram's buckets, in seconds. */
export const BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

interface Tally {
  method: string;
  route: string;
  status: number;
  /** Requests by bucket; the last bucket has no bound. */
  buckets: number[];
  seconds: number;
  statements: number;
  sqlSeconds: number;
}

interface Answered {
  method: string;
  route: string;
  status: number;
  ms: number;
  statements: number;
  sqlMs: number;
}

/** Requests that this isolate answered since its start. Nothing depends on them, so they may be lost. */
const tallies = new Map<string, Tally>();

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** Counts a request by route pattern and known method, so that callers cannot add rows. */
export function countRequest({ method, route, status, ms, statements, sqlMs }: Answered): void {
  const known = METHODS.has(method) ? method : "other";
  const key = `${known} ${status} ${route}`;
  let tally = tallies.get(key);
  if (!tally) {
    const buckets = new Array<number>(BUCKETS_S.length + 1).fill(0);
    tally = { method: known, route, status, buckets, seconds: 0, statements: 0, sqlSeconds: 0 };
    tallies.set(key, tally);
  }
  const seconds = ms / 1000;
  const bucket = BUCKETS_S.findIndex((bound) => seconds <= bound);
  const at = bucket < 0 ? BUCKETS_S.length : bucket;
  tally.buckets[at] = (tally.buckets[at] ?? 0) + 1;
  tally.seconds += seconds;
  tally.statements += statements;
  tally.sqlSeconds += sqlMs / 1000;
}

export const talliesNow = (): readonly Tally[] => [...tallies.values()];

/** Events that operators watch, by name. */
const events = new Map<string, number>();

export const countEvent = (name: string): void => void events.set(name, (events.get(name) ?? 0) + 1);

export const eventsNow = (): readonly (readonly [name: string, count: number])[] => [...events];

const routeNames = new Map<string, string>();

/** The route without the patterns of its parameters: `/:user/edit`, not `/:user{(?!api|…)[^/]+}/edit`. */
export function routeName(pattern: string): string {
  let name = routeNames.get(pattern);
  if (name === undefined) {
    name = withoutBraces(pattern);
    routeNames.set(pattern, name);
  }
  return name;
}

function withoutBraces(pattern: string): string {
  let depth = 0;
  let name = "";
  for (const each of pattern) {
    if (each === "{") depth += 1;
    if (depth === 0) name += each;
    if (each === "}") depth -= 1;
  }
  return name;
}

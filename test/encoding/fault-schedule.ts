/** A place of the pool, by its number. */
type Place = 0 | 1;

/** An exchange that fails, of storage or of the gateway. */
type Broken = "mute" | "request lost" | "reply lost" | "reply cut";

export type Fault =
  | { kind: "kill"; place: Place; signal: "SIGKILL" | "SIGTERM"; whom: "transcoder" | "ffmpeg" }
  | { kind: "freeze"; place: Place; whom: "transcoder" | "ffmpeg"; forMs: number }
  | { kind: "source" | "output"; how: Broken; times: number; afterBytes: number }
  | { kind: "full"; times: number }
  | { kind: "report"; which: "heartbeat" | "finished" | "failed"; how: Broken; times: number }
  | { kind: "message"; track: number; copies: number }
  | { kind: "delete"; track: number };

/** A fault and its moment, in milliseconds from the start. */
interface Planned {
  atMs: number;
  fault: Fault;
}

/** The numbers of a schedule: a seed gives the same again (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(...items: [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0];
  return { below, pick };
}

type Random = ReturnType<typeof randomFrom>;

/** Milliseconds between two faults, on average. */
const EACH_MS = 700;

/** Plans faults of all kinds over the time in which this many tracks are uploaded. */
export function planFaults(random: Random, tracks: number, duringMs: number): Planned[] {
  const faults = Array.from({ length: Math.round(duringMs / EACH_MS) }, (_, n) => ({
    atMs: random.below(duringMs),
    fault: planFault(random, n, tracks),
  }));
  return faults.sort((a, b) => a.atMs - b.atMs);
}

/** Takes the kinds in turn, so that none is missed. */
function planFault({ below, pick }: Random, n: number, tracks: number): Fault {
  const place = pick<Place>(0, 1);
  const whom = pick<"transcoder" | "ffmpeg">("transcoder", "ffmpeg");
  const how = pick<Broken>("request lost", "reply lost", "reply cut", "mute");
  const track = below(tracks);
  // Silence takes ten seconds or more each time.
  const times = how === "mute" ? 1 : 1 + below(4);
  const kinds: (() => Fault)[] = [
    () => ({ kind: "kill", place, whom, signal: "SIGKILL" }),
    () => ({ kind: "source", how, times, afterBytes: below(1_000_000) }),
    () => ({ kind: "freeze", place, whom, forMs: 300 + below(6_000) }),
    () => ({ kind: "report", which: pick("heartbeat", "finished", "failed"), how, times }),
    () => ({ kind: "kill", place, whom: "transcoder", signal: "SIGTERM" }),
    () => ({ kind: "output", how, times, afterBytes: 0 }),
    () => ({ kind: "full", times: 1 + below(4) }),
    () => ({ kind: "delete", track }),
    () => ({ kind: "message", track, copies: 1 + below(20) }),
  ];
  return (kinds[n % kinds.length] ?? (() => ({ kind: "delete", track })))();
}

export const describeFault = ({ atMs, fault }: Planned): string =>
  `${(atMs / 1000).toFixed(1)} s ${Object.values(fault).join(" ")}`;

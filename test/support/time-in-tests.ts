/** Finds where a test depends on the machine's speed. */

/** Milliseconds. Shorter sleeps only space out looks. */
const LONGEST_SLEEP_MS = 50;
/** Milliseconds. Shorter patience ends what a busy machine has not done yet. That of `vitest.config.ts` is longer still. */
const LEAST_PATIENCE_MS = 30_000;

/** Calls that pass time, with the place of the delay among their arguments and its unit in milliseconds. */
const SLEEPS: Record<string, [place: number, unitMs: number]> = {
  setTimeout: [1, 1],
  waitForTimeout: [0, 1],
  "scheduler.wait": [0, 1],
  pg_sleep: [0, 1000],
};

/** Ways around those calls. */
const DISGUISED =
  /promisify\(setTimeout\)|\bAtomics\.wait\(|import [^{}]* from "(?:node:)?timers\/promises"|Sync\("sleep\b/g;

const COMMENT = /^\s*(?:\/\/|\/?\*).*$|\s\/\/ .*$/gm;

/** Texts are kept: a test also sleeps within SQL and in scripts of pages. */
const codeOf = (source: string): string => source.replace(COMMENT, "");

/** Names under which a file imports `setTimeout` of `node:timers/promises`, whose delay comes first. */
function importedSleeps(code: string): string[] {
  const imported = /import \{([^}]*)\} from "(?:node:)?timers\/promises"/.exec(code)?.[1] ?? "";
  return [...imported.matchAll(/\bsetTimeout(?: as (\w+))?/g)].map(([name, alias]) => alias ?? name);
}

/** The arguments of the call whose parenthesis opens before `at`. */
function argumentsAt(code: string, at: number): string[] {
  const found = [""];
  let depth = 0;
  for (let place = at; place < code.length; place++) {
    const char = code[place] ?? "";
    if ("([{".includes(char)) depth++;
    else if (")]}".includes(char) && depth-- === 0) break;
    if (char === "," && depth === 0) found.push("");
    else found[found.length - 1] += char;
  }
  return found.map((one) => one.trim());
}

/** The larger of two numbers to choose from. An amount that is no number may be any. */
const amountOf = (text: string): number =>
  Math.max(
    ...(text || "0").split(/ [?:] /).map((part, at, { length }) => {
      if (at === 0 && length > 1) return 0;
      return /^[\d_.]+$/.test(part) ? Number(part.replaceAll("_", "")) : Number.POSITIVE_INFINITY;
    }),
  );

/** Sleeps of more than 50 ms, or of what is no number. A socket's `setTimeout` limits its silence. */
function sleepsIn(code: string, isMoved: boolean): string[] {
  const own = importedSleeps(code);
  // Fake timers move those of the platform, but not those of Node's module.
  const names = [...new Set([...(isMoved ? [] : Object.keys(SLEEPS)), ...own])].join("|") || "(?!)";
  const calls = code.matchAll(new RegExp(`(?<!socket\\.)\\b(${names})\\(`, "g"));
  const long = [...calls].flatMap((call) => {
    const [head, name = ""] = call;
    const [place, unitMs] = own.includes(name) ? [0, 1] : (SLEEPS[name] ?? [0, 1]);
    const given = argumentsAt(code, call.index + head.length)[place] ?? "";
    return amountOf(given) * unitMs > LONGEST_SLEEP_MS ? [`${name}(${given})`] : [];
  });
  return [...long, ...(code.match(DISGUISED) ?? [])].map((sleep) => `sleeps: ${sleep}`);
}

const STOPWATCH = /\bperformance\.now\(|\bhrtime\b|\b(?:threadC|c)puUsage\(|\bconsole\.time\(/;

/** Names that hold a time of `Date.now()` and are subtracted, which makes a duration. */
const durationsIn = (code: string): string[] =>
  [...code.matchAll(/\b(\w+) = (?:Math\.\w+\()?Date\.now\(\)(?: \/ 1_?000\)?)?[;,]/g)]
    .map(([, name = ""]) => name)
    .filter((name) => new RegExp(`[\\w)] - ${name}\\b`).test(code));

/** A stopwatch, which measures the machine as soon as anything is expected of it. */
const stopwatchesIn = (code: string): string[] => [
  ...(STOPWATCH.test(code) ? ["reads a stopwatch"] : []),
  ...durationsIn(code).map((name) => `measures the time since ${name}`),
  ...(/expect\([^;]*?Date\.now\(\)[^;]*?\)\.(?:not\.)?toBeLessThan(?:OrEqual)?\(/.test(code)
    ? ["bounds a time from now"]
    : []),
];

const OWN_PATIENCE = /\b(?:timeout: |AbortSignal\.timeout\()([\d_]+)\b/g;

/** Patience of a test's own that is shorter than everybody's, `vi.waitFor`'s second included. */
function impatienceIn(code: string): string[] {
  const short = [...code.matchAll(OWN_PATIENCE)].filter(([, ms = ""]) => amountOf(ms) < LEAST_PATIENCE_MS);
  const waits = [...code.matchAll(/\bvi\.wait(?:For|Until)\(/g)].filter(
    (call) => !/timeout: /.test(argumentsAt(code, call.index + call[0].length)[1] ?? ""),
  );
  return [...short, ...waits].map(([text]) => `is impatient: ${text}`);
}

/** Own retries, which hide what a busy machine loses. */
const retriesIn = (code: string): string[] => code.match(/[{,]\s*retry: \d+\s*[,}]/g) ?? [];

/** Lists what a file waits for or measures by the clock of the machine. A clock that the test moves is none. */
export function clocksIn(source: string): string[] {
  const code = codeOf(source);
  const isMoved = /\bvi\.(?:useFakeTimers|advanceTimersByTime)/.test(code);
  return [
    ...sleepsIn(code, isMoved),
    ...(isMoved ? [] : stopwatchesIn(code)),
    ...impatienceIn(code),
    ...retriesIn(code),
  ];
}

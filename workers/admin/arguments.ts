import { parseArgs } from "node:util";
import type * as z from "zod";
import { messageOf } from "../../functions/lib/errors/message-of.ts";

/** An operator's mistake, printed as one line without a stack. */
export class UsageError extends Error {}

export const USAGE = `Usage: npm run -s admin -- <command> [options] [--json] [--env NAME]

  user create    --username U --email E [--password P] [--plan free|artist|artist-pro] [--confirmed]    without P it is asked for, or read from standard input
  invitation create [--uses 1] [--days 14] [--note N] [--reason R]    prints its link, which is not kept
  invitation list   [--before ID] [--limit N]
  invitation end    --id ID [--reason R]    accounts that it made stay
  incident open   --title T --text T [--part P]… [--begins TIME] [--ends TIME]    stands on /status; with an end it is maintenance
                  P is database, storage, encoding, webhooks, posts or mails; TIME is RFC 3339
  incident update --id ID --text T
  incident close  --id ID --text T      it is over now
  incident list   [--before ID] [--limit N]
  operator add     --username U   opens /admin to U, a name or an id, who sets up a second factor with the code that is printed
  operator remove  --username U   closes it at once
  operator reset   --username U   forgets U's second factor: the next entry sets up another, with a new code
  operator list
  job list         [--state failed|queued|leased] [--before ID] [--limit N]    a job has its track's id
  job retry|drop   --track ID [--reason R]      a dropped job's track has failed
  overdue list                                  publications and podcasts moving in that are late
  dead-letter list [--before ID] [--limit N]
  dead-letter retry|drop --id ID [--reason R]
  delivery list    [--state failed|pending|disabled] [--before ID] [--limit N]
  delivery retry|drop --id ID [--reason R]
  user find      [--words W] [--before ID] [--limit N]    by id, name or e-mail address
  user show      --user U               U is an id, a name, a permalink or an e-mail address; --username U is a name
  user suspend   --user U --reason R    no sign-in, no tokens, nothing visible; the user reads the reason
  user restore   --user U [--reason R]
  user delete    --user U --reason R    at once; rows and files are erased soon after
  user sign-out  --user U [--reason R]  ends all sessions
  user admit     --user U [--reason R]  lets U post before the address is confirmed
  user set-plan  --user U --plan P
  user set-quota --user U [--seconds N] [--bytes N] [--tracks N]    N may be none, or plan for the plan's
  quota list
  quota set      --plan P [--seconds N] [--bytes N] [--tracks N]    N may be none, which it is at first
  track show     --track T              T is an id, user/track, or the address of its page
  track take-down --track T --reason R  the file is kept; the owner reads the reason
  track put-back --track T [--reason R]
  track uncredit --track T --reason R   takes its credited artists off; users among them are not asked again
  comment remove --comment ID --reason R    ID is the number behind #comment- in its address; the author reads the reason
  set remove     --set S --reason R     S is an id, user/sets/set, or the address of its page; its tracks stay
  picture remove --track T | --set S | --user U --reason R    the artwork or the avatar; the owner may choose another
  removal list   [--state answered|removed|restored] [--before ID] [--limit N]    cases; the owners of answered ones object
  removal show   --removal ID           with the owner's answers and the reports
  removal restore --removal ID --reason R    the owner, and those who reported it, get a mail
  removal uphold --removal ID --reason R     leaves it removed, in answer to the owner
  report list    [--state open|resolved|dismissed|all] [--after ID] [--limit N]
  report resolve|dismiss|reopen --report ID [--note N]
  app find       [--words W] [--before ID] [--limit N]    by name, owner or client id; the service's own, such as that of personal tokens, are not listed
  app revoke     --app CLIENT_ID --reason R [--message M]    ends its tokens and sessions, for everybody; the owner gets a mail and reads M, never R
  app restore    --app CLIENT_ID [--reason R]
  deprecation list [--before ID] [--limit N]    apps that used what ends within 30 days, and the mails to their owners
  counters recount                      compares all counters with their rows, and repairs them
  audit list     [--user U | --track T] [--before ID] [--limit N]
  app create     --owner U --name N --redirect-uri URI [--redirect-uri …] [--external-url URL] [--public]    a public app has no secret
  token create   --app CLIENT_ID [--user U]
  mail list      [--state waiting|failed]   mails that are not sent, with the mail server's words
  mail retry     [--id N]   sends one again, or all that failed
  mail drop      [--id N]   forgets one, or all that failed
  sandbox snapshot    what the sandbox goes back to every day, from now on
  sandbox restore     back to it now: what came since is gone, and everybody is signed out
  check          says what your server lacks: addresses, TLS, database, storage, mail, ffmpeg, disk, secrets, clock
  service        [--unit|--timer|--caddy] [--user U]   prints units of systemd and a Caddyfile for your settings
  rotate JWT_KEYS|SIGNING_KEYS|SEAL_KEYS [--revoke]    adds a key, and says what that ends; --revoke drops the older ones
  rotate TRANSCODER_SECRET|S3_ACCESS_KEY_ID|S3_SECRET_ACCESS_KEY|METRICS_TOKEN    makes another, and says what that ends
  rotate DATABASE_OWNER_PASSWORD|DATABASE_APP_PASSWORD    changes it in the database, too, while the service runs
  backup         [--to DIR] [--keep 7] [--verify]  copies database, objects and secrets, while the stack runs or not
  restore        [--from DIR] [--at NAME | --until TIME] [--verify]    fills an empty DATA_DIR, or only checks the copy
                 DIR is the setting BACKUP_DIR, unless you name one; TIME is RFC 3339, and later than the oldest backup there
  export-database   --to FILE     writes the database as plain SQL, which psql loads anywhere
  upgrade-database  [--from DIR]  moves it to the PostgreSQL that the settings choose; DIR has the programs of its own, if they are not found

Without --env the local stack is meant: the running one, or one started for the call.
With --env the environment's DATABASE_URL and JWT_KEYS are read from your environment variables.`;

/**
 * Returns the help of a command, or of all commands that begin with the same word. Without a word, returns the whole
 * text.
 */
export function usageOf(command: string): string {
  const lines = linesOf(command);
  return lines.length ? `${lines.join("\n")}\n\n--help lists all commands` : USAGE;
}

function linesOf(command: string): string[] {
  const [noun = "", verb = ""] = command.split(" ");
  // A command may have further lines, which are indented.
  const lines = noun ? USAGE.split(/\n(?! {3})/).filter((line) => line.startsWith(`  ${noun} `)) : [];
  const own = lines.filter((line) => line.trim().split(/\s+/)[1]?.split("|").includes(verb));
  return own.length ? own : lines;
}

/** Options of every command. */
const GENERAL = ["json", "env", "help"];

/**
 * Refuses options that the command does not read: its help names those that it does, and `more` are others. One that is passed
 * over could have been meant to narrow what the command does. `--username` stands in for `--user`.
 */
export function refuseUnread({ command, names }: Invocation, more: string[] = []): void {
  const help = linesOf(command).join();
  const named = Array.from(help.matchAll(/--([a-z-]+)/g), ([, name]) => name);
  const read = [...named, ...(named.includes("user") ? ["username"] : []), ...GENERAL, ...more];
  const unread = names.find((name) => !read.includes(name));
  if (unread) throw new UsageError(`${command} takes no --${unread}\n\n${usageOf(command)}`);
}

export interface Invocation {
  command: string;
  /** Names of the options that are given. */
  names: string[];
  option(name: string): string | undefined;
  required(name: string): string;
  all(name: string): string[];
  flag(name: string): boolean;
}

const string = { type: "string" } as const;
const boolean = { type: "boolean" } as const;
const strings = { type: "string", multiple: true } as const;

const OPTIONS = {
  username: string,
  email: string,
  password: string,
  plan: string,
  owner: string,
  name: string,
  app: string,
  to: string,
  from: string,
  user: string,
  state: string,
  before: string,
  limit: string,
  track: string,
  id: string,
  reason: string,
  message: string,
  words: string,
  uses: string,
  days: string,
  seconds: string,
  bytes: string,
  tracks: string,
  report: string,
  comment: string,
  set: string,
  removal: string,
  note: string,
  after: string,
  env: string,
  "external-url": string,
  "redirect-uri": strings,
  keep: string,
  at: string,
  until: string,
  title: string,
  text: string,
  part: strings,
  begins: string,
  ends: string,
  verify: boolean,
  revoke: boolean,
  unit: boolean,
  timer: boolean,
  caddy: boolean,
  confirmed: boolean,
  public: boolean,
  json: boolean,
  help: boolean,
};

export function readArguments(args: string[]): Invocation {
  const { values, positionals } = parse(args);
  const given = values as Record<string, string | boolean | string[] | undefined>;
  const option = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  // `help user` prints the same as `user --help`.
  const asksHelp = positionals[0] === "help";
  const command = positionals.slice(asksHelp ? 1 : 0).join(" ");
  return {
    command,
    names: Object.keys(values),
    option,
    required(name) {
      const value = option(name);
      if (!value?.trim()) throw new UsageError(`--${name} is missing\n\n${usageOf(command)}`);
      return value;
    },
    all: (name) => (Array.isArray(given[name]) ? given[name] : []),
    flag: (name) => given[name] === true || (name === "help" && asksHelp),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const command = args
      .filter((one) => !one.startsWith("-"))
      .slice(0, 2)
      .join(" ");
    // Node adds hints about positional arguments, of which no command has any.
    const [words] = messageOf(error).split(/\n|\. To specify/);
    throw new UsageError(`${words}\n\n${usageOf(command)}`);
  }
}

/** Reads an option by its rule, or throws the reason why it is invalid. */
export function check<Output>(schema: z.ZodType<Output>, name: string, value: unknown): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const words = issue?.code === "invalid_value" ? `is one of ${issue.values.join(", ")}` : issue?.message;
  throw new UsageError(`--${name} ${words ?? "is not valid"}`);
}

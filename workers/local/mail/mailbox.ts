import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

export const NewMail = z.object({
  to: z.string().min(1),
  from: z.string().min(1),
  subject: z.string(),
  text: z.string(),
  html: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** An id that is the same for each attempt to send the mail. */
  id: z.string().regex(/^\d+$/).optional(),
});
export type NewMail = z.infer<typeof NewMail>;

const Mail = NewMail.extend({ id: z.string(), date: z.iso.datetime() });
export type Mail = z.infer<typeof Mail>;

/** Stores mails as files instead of delivering them. They survive a restart. */
export function openMailbox(directory: string) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const mails = new Map(readMails(directory).map((mail) => [mail.id, mail]));
  let previousMs = 0;

  async function add(mail: NewMail): Promise<Mail> {
    // Ids sort by arrival. The clock moves on by a millisecond to separate simultaneous mails.
    previousMs = Math.max(Date.now(), previousMs + 1);
    const id = `${previousMs.toString().padStart(14, "0")}-${randomBytes(4).toString("hex")}`;
    const stored = { ...NewMail.parse(mail), id, date: new Date(previousMs).toISOString() };
    // A rename is atomic, so a kill never leaves half a mail.
    const draft = join(directory, `${id}.draft`);
    try {
      await writeFile(draft, JSON.stringify(stored, null, 2), { mode: 0o600 });
      await rename(draft, join(directory, `${id}.json`));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    mails.set(id, stored);
    return stored;
  }

  const find = (id: string) => mails.get(id);
  const list = () => [...mails.values()].sort((one, other) => (one.id < other.id ? 1 : -1));

  return {
    add,
    find,
    /** Newest first. */
    list,
  };
}

/** Skips files that are not mails, because somebody else put them there. */
function readMails(directory: string): Mail[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return names.flatMap(
    (name) => Mail.safeParse(parseJson(readFileSync(join(directory, name), "utf8"))).data ?? [],
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

export type Mailbox = ReturnType<typeof openMailbox>;

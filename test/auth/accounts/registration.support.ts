import { Browser, PASSWORD, type PageReply, uniqueName } from "../../support/browser.ts";
import { operate } from "../../support/operate.ts";
import { sql, stack } from "../../support/stack.ts";

export interface SignedUp {
  browser: Browser;
  reply: PageReply;
  username: string;
  email: string;
  /** Undefined if nobody was let in. */
  id: number | undefined;
}

/** A browser at a Worker with other settings. */
export const browserAt = ({ port }: { port: number }): Browser =>
  new Browser(undefined, stack.urls.api, String(port));

/** Fills in the sign-up form of a Worker. */
export async function signUpAt(
  worker: { port: number },
  fields: Record<string, string> = {},
  page = "/signup",
): Promise<SignedUp> {
  const browser = browserAt(worker);
  const username = uniqueName();
  const given = { username, email: `${username}@example.com`, password: PASSWORD, ...fields };
  const reply = await browser.submit(page, "/signup", given);
  return { browser, reply, username, email: given.email, id: await idOf(username) };
}

export async function idOf(username: string): Promise<number | undefined> {
  const [made] = await sql<{ id: number }>("select id::float8 as id from users where permalink = $1", [
    username,
  ]);
  return made?.id;
}

interface Made extends Record<string, unknown> {
  id: number;
  link: string;
}

export const invite = (...options: string[]) => operate<Made>("invitation create", ...options);

/** The path of an invitation's link. */
export function pathOf({ link }: { link: string }): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

export const codeOf = ({ link }: { link: string }): string =>
  new URL(link).searchParams.get("invitation") ?? "";

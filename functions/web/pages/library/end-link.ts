import { NEWS_MAILS } from "../../../../db/schema/news.ts";
import type { Env } from "../../../lib/http/env.ts";
import { webUrl } from "../../../lib/http/links.ts";
import { seal, unseal } from "../../../lib/security/sealing.ts";

/** The mail that a link ends. */
interface Ended {
  userId: number;
  mail: (typeof NEWS_MAILS)[number];
}

const SEALED = new RegExp(`^end the mail (${NEWS_MAILS.join("|")}) of ([1-9][0-9]{0,15})$`);

/**
 * The address that ends a mail about news, without a sign-in and for as long as one of `SEAL_KEYS` opens it. It is encrypted, so
 * nobody reads from it or changes whose mail it ends.
 */
export const endUrl = (env: Env, { userId, mail }: Ended): string =>
  webUrl(
    env,
    `/you/notifications/mails/end/${seal(env, `end the mail ${mail} of ${userId}`).toString("base64url")}`,
  );

/** Returns `undefined` if the link is not ours. */
export function readEndLink(env: Env, link: string): Ended | undefined {
  if (!/^[\w-]{40,200}$/.test(link)) return undefined;
  const sealed = Buffer.from(link, "base64url");
  // The last letter holds bits that belong to no byte.
  if (sealed.toString("base64url") !== link) return undefined;
  const [, mail, userId] = SEALED.exec(unseal(env, sealed) ?? "") ?? [];
  const known = NEWS_MAILS.find((one) => one === mail);
  return known && { mail: known, userId: Number(userId) };
}

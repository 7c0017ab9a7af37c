import type { Env } from "../../lib/http/env.ts";

type Lists = Pick<Env, "MAIL_DOMAINS_ALLOWED" | "MAIL_DOMAINS_REFUSED">;

/** That of a domain begins with a letter, that of an IP address with a digit. */
const LAST_LABEL = /(?:^|\.)[a-z][a-z\d-]*$/;

/** Domains of the operator's list, with spaces or commas between, as they stand in addresses. */
const domainsIn = (list: string | undefined): string[] =>
  (list ?? "")
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((domain) => asInAddresses(domain) ?? domain);

/** The domain in small letters and, if it has others than ASCII's, in Punycode. `undefined` if it is none. */
export function asInAddresses(domain: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const name = new URL(`http://${domain}`).hostname.replace(/\.$/, "");
  return LAST_LABEL.test(name) ? name : undefined;
}

const isIn = (domains: string[], domain: string): boolean =>
  domains.some((one) => domain === one || domain.endsWith(`.${one}`));

/**
 * Returns why the operator takes no account with this address, if so. A domain of a list stands for those below it, too.
 * Operators' own commands are exempt.
 */
export function domainProblem(lists: Lists, email: string): string | undefined {
  const domain = asInAddresses(email.slice(email.lastIndexOf("@") + 1)) ?? "";
  const allowed = domainsIn(lists.MAIL_DOMAINS_ALLOWED);
  if (allowed.length && !isIn(allowed, domain)) return `must be at ${allowed.join(" or ")}`;
  if (isIn(domainsIn(lists.MAIL_DOMAINS_REFUSED), domain))
    return `is at ${domain}, which is not accepted here; use an address at another domain`;
  return undefined;
}

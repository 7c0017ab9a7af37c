import { existsSync } from "node:fs";
import { join } from "node:path";
import { problemsOfServices } from "../../../functions/api/connections/services.ts";
import { asInAddresses } from "../../../functions/api/users/mail-domains.ts";
import { REGISTRATIONS } from "../../../functions/lib/http/registration.ts";
import { isNumberOfHashes } from "../../../functions/lib/security/proof-of-work.ts";

const DOMAINS = {
  takes: (text: string) => text.split(/[\s,]+/).every((domain) => !domain || asInAddresses(domain)),
  example: "domains, such as example.org,example.com",
};

/** Texts that only work in a form of their own. */
const FORMS = [
  { name: "MAIL_DOMAINS_ALLOWED", ...DOMAINS },
  { name: "MAIL_DOMAINS_REFUSED", ...DOMAINS },
  {
    name: "PROOF_OF_WORK_HASHES",
    takes: (text: string) => isNumberOfHashes(Number(text)),
    example: "a number of hashes from 1000 to 100000000",
  },
  {
    name: "MAIL_FROM",
    takes: (text: string) => /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text),
    example: "a mailbox, such as Radio Ana <noreply@example.com>",
  },
  {
    name: "URN_NAMESPACE",
    takes: (text: string) => /^[a-z][a-z0-9-]*$/.test(text),
    example: "a word of small letters, digits and hyphens",
  },
  {
    name: "COUNTRY_HEADER",
    takes: (text: string) => /^[A-Za-z][\w-]*$/.test(text),
    example: "the name of a header, such as X-Country",
  },
  {
    name: "COUNTRY_FILE",
    takes: (text: string) => existsSync(text),
    example: "the path of a file of countries in MaxMind's format",
  },
  {
    name: "FORM_MEMORY_MIB",
    takes: (text: string) => /^[1-9]\d{1,4}$/.test(text),
    example: "a number of mebibytes, 10 at least",
  },
  {
    name: "EDGE_BODY_LIMIT_MB",
    takes: (text: string) => /^[1-9]\d{0,4}$/.test(text),
    example: "a number of megabytes, such as 100",
  },
  {
    name: "DELETED_OBJECTS_DAYS",
    takes: (text: string) => /^\d{1,3}$/.test(text),
    example: "a number of days",
  },
  {
    name: "RETENTION",
    takes: (text: string) => text === "keep" || text === "downloadable",
    example: "keep or downloadable",
  },
  {
    name: "REGISTRATION",
    takes: (text: string) => REGISTRATIONS.some((one) => one === text),
    example: "open, confirm, invite or closed",
  },
  {
    name: "POSTGRES_BIN",
    takes: (text: string) => existsSync(join(text, "postgres")),
    example: "a directory of PostgreSQL's programs, such as /usr/lib/postgresql/17/bin",
  },
  {
    name: "TRANSCODER_SLOTS",
    takes: (text: string) => /^[1-9]\d{0,2}$/.test(text),
    example: "a number of encodes, such as 4",
  },
  { name: "LOG", takes: (text: string) => text === "verbose", example: "verbose, or unset" },
];

/** Names each setting whose text does not have its form. */
export function formProblems(given: Record<string, string | undefined>): string[] {
  const problems = FORMS.flatMap(({ name, takes, example }) =>
    given[name] && !takes(given[name]) ? [`${name} must be ${example}, not "${given[name]}"`] : [],
  );
  // A Worker would skip a misconfigured service and report it only in its log.
  const services = given.CONNECTION_SERVICES ? problemsOfServices(given.CONNECTION_SERVICES) : [];
  problems.push(...services.map((problem) => `CONNECTION_SERVICES ${problem}`));
  if (!given.TURNSTILE_SITE_KEY !== !given.TURNSTILE_SECRET)
    problems.push("TURNSTILE_SITE_KEY and TURNSTILE_SECRET go together: set both, or neither");
  return problems;
}

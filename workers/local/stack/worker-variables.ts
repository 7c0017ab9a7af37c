import { BUDGET_SETTINGS } from "../../../functions/lib/http/limits/budgets.ts";

type Given = Record<string, string | undefined>;

/** Texts that the Worker takes as they are. */
export const WORKER_TEXTS = [
  "REGISTRATION",
  "REGISTRATION_CONTACT",
  "SITE_NAME",
  "SITE_WORDS",
  "SITE_FEATURED",
  "TERMS_TEXT",
  "PRIVACY_TEXT",
  "REPORTS_TO",
  "SECURITY_CONTACT",
  "METRICS_TOKEN",
  "PROOF_OF_WORK_HASHES",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET",
  "MAIL_DOMAINS_ALLOWED",
  "MAIL_DOMAINS_REFUSED",
  "FORM_MEMORY_MIB",
  "EDGE_BODY_LIMIT_MB",
  "DELETED_OBJECTS_DAYS",
  "RETENTION",
  "MAIL_FROM",
  "CONNECTION_SERVICES",
  "URN_NAMESPACE",
  "DNS_URL",
];

/** Reads the variables of the Worker, and adds what is wrong to `problems`. */
export function workerVariables(given: Given, isPublic: boolean, problems: string[]): Record<string, string> {
  const flag = (name: string, byDefault: "on" | "off") => {
    const text = given[name] || byDefault;
    if (text !== "on" && text !== "off") problems.push(`${name} must be on or off, not "${text}"`);
    return text;
  };
  const texts = WORKER_TEXTS.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  return {
    ...Object.fromEntries(texts),
    OLDER_BEHAVIOUR: flag("OLDER_BEHAVIOUR", isPublic ? "off" : "on"),
    // An app in a minute: nobody who tries the service has a plan.
    APPS_NEED_PLAN: flag("APPS_NEED_PLAN", isPublic ? "on" : "off"),
    PROOF_OF_WORK: flag("PROOF_OF_WORK", isPublic ? "on" : "off"),
    ...(flag("OFFLINE_PAGES", "on") === "off" && { OFFLINE_PAGES: "off" }),
    ...(flag("SANDBOX", "off") === "on" && { SANDBOX: "on" }),
    // Measurements turn the checks off, as deployments do.
    ...((isPublic || given.CHECK_REPLIES === "off") && { CHECK_REPLIES: "off" }),
    ...budgets(given, problems),
  };
}

function budgets(given: Given, problems: string[]): Record<string, string> {
  const set = BUDGET_SETTINGS.flatMap((name) => (given[name] ? [[name, given[name]] as const] : []));
  for (const [name, text] of set)
    if (!/^(?:\d{1,9}|off)$/.test(text)) problems.push(`${name} must be a number or off, not "${text}"`);
  return Object.fromEntries(set);
}

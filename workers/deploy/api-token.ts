import { ACCOUNT_QUESTION, type Ask } from "./ask.ts";
import { askCloudflare, type Reply } from "./cloudflare.ts";
import { accountOf, type Environment } from "./environment.ts";
import { askWrangler, Refused } from "./wrangler.ts";

const RIGHTS =
  "A Cloudflare API token that may edit Workers, Containers, R2, Queues, DNS and the account's tokens";

/** Tries the token before anything is made with it. Asks for one if nobody is signed in. */
export async function requireToken(environment: Environment, ask: Ask): Promise<void> {
  if (!process.env.CLOUDFLARE_API_TOKEN && (await isLoggedIn())) return;
  const token = await ask("CLOUDFLARE_API_TOKEN", RIGHTS, { unseen: true });
  const account = async () => {
    process.env.CLOUDFLARE_ACCOUNT_ID ||=
      accountOf(environment) ?? (await ask("CLOUDFLARE_ACCOUNT_ID", ACCOUNT_QUESTION));
    return process.env.CLOUDFLARE_ACCOUNT_ID;
  };
  const faults = await tokenFaults(token, account);
  if (faults.length) throw new Refused(...faults);
  process.env.CLOUDFLARE_API_TOKEN = token;
}

/** Returns why nothing can be done in the account, a line each. */
export async function accountFaults(environment: Environment): Promise<string[]> {
  const token = process.env.CLOUDFLARE_API_TOKEN;
  const account = process.env.CLOUDFLARE_ACCOUNT_ID || accountOf(environment);
  if (token) return tokenFaults(token, async () => account);
  if (await isLoggedIn()) return [];
  return ["Not signed in to Cloudflare: set CLOUDFLARE_API_TOKEN, or run npx wrangler login"];
}

const isLoggedIn = async () => (await askWrangler("whoami", "--json")).ok;

type Status = { status: string };

/** Users' tokens are known to one address, accounts' tokens to another, which names the account. */
async function tokenFaults(token: string, accountId: () => Promise<string | undefined>): Promise<string[]> {
  try {
    const asUsers = await askCloudflare<Status>(token, "GET", "/user/tokens/verify");
    if (asUsers.success) return statusFaults(asUsers);
    const account = await accountId();
    if (!account) return statusFaults(asUsers);
    return statusFaults(await askCloudflare<Status>(token, "GET", `/accounts/${account}/tokens/verify`));
  } catch (error) {
    if (error instanceof Refused) throw error;
    return [`Cloudflare does not answer whether CLOUDFLARE_API_TOKEN is good: ${(error as Error).message}`];
  }
}

function statusFaults({ success, errors, result }: Reply<Status>): string[] {
  if (success && result.status === "active") return [];
  const why = success ? `it is ${result.status}` : errors.map(({ message }) => message).join("; ");
  return [`Cloudflare refuses CLOUDFLARE_API_TOKEN: ${why}. Make another: ${RIGHTS}`];
}

import * as z from "zod";
import type { Env } from "../../lib/http/env.ts";
import { isAddress, isPublicAddress, targetProblem, targetRule } from "./target.ts";

/**
 * JSON form of DNS over HTTPS:
 * developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json
 */
const DNS_URL = "https://cloudflare-dns.com/dns-query";
const DNS_TIMEOUT_MS = 5_000;

/** Record types of addresses: A and AAAA. */
const ADDRESS_TYPES = [1, 28];

const DnsReply = z.object({
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).default([]),
});

type Settings = Pick<Env, "WEBHOOK_TARGETS" | "DNS_URL">;

/**
 * Returns the reason for refusal, or `undefined`. `plainHttp` allows http beside https. Names are resolved anew each time, because they may change.
 * The call resolves once more: the platform's network reaches nothing private, and `PUBLIC_NETWORK` checks again.
 */
export async function checkTarget(
  env: Settings,
  url: string,
  signal: AbortSignal,
  { plainHttp = false } = {},
): Promise<"private_target" | "unresolved" | undefined> {
  const rule = { ...targetRule(env), plainHttp };
  if (targetProblem(url, rule)) return "private_target";
  const { hostname } = new URL(url);
  if (rule.anywhere || isAddress(hostname)) return undefined;
  const addresses = await addressesOf(env, hostname, signal);
  if (addresses.length === 0) return "unresolved";
  return addresses.every(isPublicAddress) ? undefined : "private_target";
}

/** Returns none if the name or the resolver fails. */
export async function addressesOf(
  { DNS_URL: url = DNS_URL }: Pick<Env, "DNS_URL">,
  hostname: string,
  signal = AbortSignal.timeout(DNS_TIMEOUT_MS),
): Promise<string[]> {
  try {
    return (await Promise.all(ADDRESS_TYPES.map((type) => lookUp(url, hostname, type, signal)))).flat();
  } catch {
    return [];
  }
}

async function lookUp(url: string, hostname: string, type: number, signal: AbortSignal): Promise<string[]> {
  const question = new URLSearchParams({ name: hostname, type: String(type) });
  const reply = await fetch(`${url}?${question}`, {
    headers: { Accept: "application/dns-json" },
    signal,
  });
  const { Answer } = DnsReply.parse(await reply.json());
  return Answer.filter((answer) => ADDRESS_TYPES.includes(answer.type)).map(({ data }) => data);
}

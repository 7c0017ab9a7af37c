import { createHash } from "node:crypto";
import { bytea } from "../../../db/bytea.ts";
import type { Target } from "../../../db/queries/webhooks.ts";
import type { Env } from "../../lib/http/env.ts";

/** Whether webhooks may reach this machine and its network, for development. */
export const targetRule = ({ WEBHOOK_TARGETS }: Pick<Env, "WEBHOOK_TARGETS">) => ({
  anywhere: WEBHOOK_TARGETS === "anywhere",
});

interface TargetRule {
  anywhere: boolean;
  /** Feeds and their files may be on servers without TLS. */
  plainHttp?: boolean;
}

/** Names that resolve within one machine or network. RFC 6761, 6762, 8375, 9476 */
const LOCAL_SUFFIXES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|onion|alt)$/;

/** IPv4 without a public owner, including multicast: RFC 6890 and IANA's special-purpose registry. */
const LOCAL_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
].map((range) => {
  const [address = "", bits = ""] = range.split("/");
  return { address: ipv4Number(address), shift: 32 - Number(bits) };
});

/**
 * Returns why a webhook cannot be sent there, or `undefined`. Names are resolved before each delivery, not
 * here. `anywhere` allows plain http and private addresses, for development.
 */
export function targetProblem(url: string, { anywhere, plainHttp = false }: TargetRule): string | undefined {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url) || url.includes("\\") || !URL.canParse(url))
    return "must be an address that begins with https://";
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return "must not hold credentials";
  if (url.includes("#")) return "must not have a fragment";
  if (anywhere) return undefined;
  if (protocol !== "https:" && !plainHttp) return "must begin with https://";
  return isPublicHost(hostname) ? undefined : "is on a private network";
}

/** Normalizes a target for comparison: the host without its port and final dot. */
export function targetOf(url: string): Target {
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/\.+$/, "");
  parsed.hostname = host;
  return { target_hash: bytea(createHash("sha256").update(parsed.href).digest()), target_host: host };
}

/** `hostname` comes from `URL`, which normalizes numeric addresses and makes names ASCII. */
function isPublicHost(hostname: string): boolean {
  if (isAddress(hostname)) return isPublicAddress(hostname.replace(/[[\]]/g, ""));
  const name = hostname.replace(/\.+$/, "").toLowerCase();
  return name.includes(".") && !LOCAL_SUFFIXES.test(name);
}

/** Whether the host is an address, not a name. */
export const isAddress = (hostname: string): boolean =>
  hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname);

/** Whether the address is public, and so means the same machine everywhere. An unreadable one is not. */
export function isPublicAddress(address: string): boolean {
  if (!/^[0-9a-f.:]+$/i.test(address)) return false;
  const url = `http://${address.includes(":") ? `[${address}]` : address}/`;
  const { hostname } = URL.canParse(url) ? new URL(url) : { hostname: "" };
  if (!isAddress(hostname)) return false;
  return hostname.startsWith("[") ? isPublicIpv6(hostname.slice(1, -1)) : isPublicIpv4(hostname);
}

function ipv4Number(address: string): number {
  return address.split(".").reduce((number, byte) => number * 256 + Number(byte), 0);
}

function isPublicIpv4(address: string): boolean {
  const number = ipv4Number(address);
  return !LOCAL_IPV4.some((range) => number >>> range.shift === range.address >>> range.shift);
}

/**
 * Accepts global unicast only, 2000::/3. Mapped IPv4, NAT64, link-local, unique local and multicast lie
 * outside. Excluded within it: Teredo and other protocols (2001::/23), 6to4 (2002::/16), which embeds IPv4,
 * and documentation.
 */
function isPublicIpv6(address: string): boolean {
  const [first = "", second = ""] = address.split(":");
  const [a, b] = [Number.parseInt(first || "0", 16), Number.parseInt(second || "0", 16)];
  if (a < 0x2000 || a > 0x3fff) return false;
  if (a === 0x2001 && (b < 0x0200 || b === 0x0db8)) return false;
  return a !== 0x2002 && !(a === 0x3fff && b < 0x1000);
}

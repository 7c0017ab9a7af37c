import { createHash } from "node:crypto";
import { bytea } from "../../db/queries/caller.ts";
import type { Target } from "../../db/queries/webhooks.ts";
import type { Env } from "../http/env.ts";

/** Whether webhooks may be sent to this machine and its network, as on one's own. */
export const targetRule = ({ WEBHOOK_TARGETS }: Pick<Env, "WEBHOOK_TARGETS">) => ({
  anywhere: WEBHOOK_TARGETS === "anywhere",
});

/** Names that mean a machine or a network of its own, wherever they are asked for. RFC 6761, 6762, 8375, 9476. */
const LOCAL_SUFFIXES =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|onion|alt)$/;

/** IPv4 that is nobody's in the public network, multicast included: RFC 6890 and IANA's special-purpose registry. */
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
 * Why a webhook cannot be sent there, or `undefined` where it can. Names are not resolved: who sends asks for their
 * addresses, each time. With `anywhere`, as on one's own machine, plain http and private addresses are fine.
 */
export function targetProblem(url: string, { anywhere }: ReturnType<typeof targetRule>): string | undefined {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url) || url.includes("\\") || !URL.canParse(url))
    return "must be an address that begins with https://";
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return "must not hold credentials";
  if (url.includes("#")) return "must not have a fragment";
  if (anywhere) return undefined;
  if (protocol !== "https:") return "must begin with https://";
  return isPublicHost(hostname) ? undefined : "is on a private network";
}

/** How a target is told from others, whatever it is spelled like. The host stands without its port, and without a final dot. */
export function targetOf(url: string): Target {
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/\.+$/, "");
  parsed.hostname = host;
  return { target_hash: bytea(createHash("sha256").update(parsed.href).digest()), target_host: host };
}

/** As `URL` writes the host: numbers in any form are an address by then, and names are ASCII. */
function isPublicHost(hostname: string): boolean {
  if (isAddress(hostname)) return isPublicAddress(hostname.replace(/[[\]]/g, ""));
  const name = hostname.replace(/\.+$/, "").toLowerCase();
  return name.includes(".") && !LOCAL_SUFFIXES.test(name);
}

/** Whether the host of an address is no name. */
export const isAddress = (hostname: string): boolean =>
  hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname);

/** Whether everybody means the same machine by it. What cannot be read is not public. */
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
 * Only what is handed out as global unicast, 2000::/3. Mapped IPv4, NAT64, link-local, unique local and multicast lie
 * outside; inside lie Teredo and other protocols (2001::/23), 6to4 (2002::/16), which embeds IPv4, and documentation.
 */
function isPublicIpv6(address: string): boolean {
  const [first = "", second = ""] = address.split(":");
  const [a, b] = [Number.parseInt(first || "0", 16), Number.parseInt(second || "0", 16)];
  if (a < 0x2000 || a > 0x3fff) return false;
  if (a === 0x2001 && (b < 0x0200 || b === 0x0db8)) return false;
  return a !== 0x2002 && !(a === 0x3fff && b < 0x1000);
}

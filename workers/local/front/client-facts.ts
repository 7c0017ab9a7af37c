import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Facts about a client that the front passes to the Worker. */
export interface ClientFacts {
  address: string;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
}

export interface ClientSources {
  /** Proxies that are trusted to name their clients: addresses, or networks such as 10.0.0.0/8. */
  trustedProxies: string[];
  /** The header in which they name the client's country. */
  countryHeader?: string | undefined;
  /** Finds the country of an address where no proxy names it. */
  countryOf?: ((address: string) => string | undefined) | undefined;
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

export const isNetwork = (text: string): boolean => {
  const [address = "", length = "0"] = text.split("/");
  return isIP(address) > 0 && /^\d{1,3}$/.test(length) && Number(length) <= (isIP(address) === 6 ? 128 : 32);
};

function listOf(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    if (length === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(length), familyOf(address));
  }
  return list;
}

/** Only trusted proxies may name their clients. Anybody else could name any address and country. */
export function clientFacts({ trustedProxies, countryHeader, countryOf }: ClientSources) {
  const trusted = listOf(trustedProxies);
  const isTrusted = (address: string) => isIP(address) > 0 && trusted.check(address, familyOf(address));
  return ({ socket, headers }: IncomingMessage): ClientFacts => {
    const peer = socket.remoteAddress?.replace(/^::ffff:/, "") ?? "127.0.0.1";
    const isProxied = isTrusted(peer);
    const address = isProxied ? saidClient(headers["x-forwarded-for"], isTrusted, peer) : peer;
    const said = isProxied && countryHeader ? String(headers[countryHeader.toLowerCase()] ?? "") : "";
    const country = /^[a-z]{2}$/i.test(said) ? said.toUpperCase() : countryOf?.(address);
    return { address, country };
  };
}

/** Each proxy appends the address of its peer. Entries before the last untrusted address may be forged. */
function saidClient(
  forwarded: string | string[] | undefined,
  isTrusted: (address: string) => boolean,
  peer: string,
): string {
  const said = [forwarded ?? []].flat().join(",").split(",");
  const heard = said.map((one) => one.trim());
  const last = heard.findLast((address) => !isTrusted(address)) ?? heard.at(-1) ?? "";
  return isIP(last) ? last : peer;
}

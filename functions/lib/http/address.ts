import type { HonoRequest } from "hono";

/**
 * The client's address for limits, as the platform or the local front saw the connection. IPv6 is cut to its
 * /64, which belongs to one customer. Nothing else that a client sends changes it.
 */
export function addressOf(request: HonoRequest): string {
  const address = request.header("CF-Connecting-IP") ?? "unknown";
  return address.includes(":") ? network64(address) : address;
}

/** `2001:db8::1` → `2001:db8:0:0::/64`. An IPv4 address inside IPv6 becomes that address. */
function network64(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(8 - left.length - right.length, 0)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${groups.join(":")}::/64`;
}

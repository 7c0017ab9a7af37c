import { isIPv4 } from "node:net";

/** Writes files of MaxMind's format: maxmind.github.io/MaxMind-DB */

const METADATA = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");

type Value = string | number | { [name: string]: Value };

/** Text up to 284 bytes, numbers of 32 bits, and maps up to 28 entries. */
function encode(value: Value): Buffer {
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes]);
  }
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    const head = bytes.length < 29 ? [(2 << 5) | bytes.length] : [(2 << 5) | 29, bytes.length - 29];
    return Buffer.concat([Buffer.from(head), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([(7 << 5) | entries.length]),
    ...entries.flatMap(([name, one]) => [encode(name), encode(one)]),
  ]);
}

const bitsOf = (network: string, isIpv6: boolean): number[] => {
  const [address = "", length] = network.split("/");
  const bits = (number: number, count: number) =>
    Array.from({ length: count }, (_, at) => (number >> (count - 1 - at)) & 1);
  if (isIPv4(address)) {
    const all = address.split(".").flatMap((byte) => bits(Number(byte), 8));
    return [...(isIpv6 ? Array(96).fill(0) : []), ...all.slice(0, Number(length))];
  }
  const groups = address.replace("::", "").split(":");
  const all = [...groups, ...Array(8 - groups.length).fill("0")].flatMap((group) =>
    bits(Number.parseInt(group, 16), 16),
  );
  return all.slice(0, Number(length));
};

/** A node's records: another node's number, or `d` and an offset in the data. */
type Node = [left: number | `d${number}` | undefined, right: number | `d${number}` | undefined];

/** `networks`: what is known of each. Equal values are stored once, and those after the first behind a pointer. */
export function countryFile(
  networks: Record<string, Value>,
  { ipVersion = 6, recordSize = 28 }: { ipVersion?: 4 | 6; recordSize?: 24 | 28 | 32 } = {},
): Buffer {
  const nodes: Node[] = [[undefined, undefined]];
  const parts: Buffer[] = [];
  let length = 0;
  const append = (bytes: Buffer) => {
    parts.push(bytes);
    length += bytes.length;
    return length - bytes.length;
  };
  // Far enough that pointers need two bytes.
  append(encode("x".repeat(40)));
  for (const [network, value] of Object.entries(networks)) {
    const target = append(encode(value));
    // A pointer of eleven bits.
    const offset = append(Buffer.from([(1 << 5) | (target >> 8), target & 0xff]));
    const bits = bitsOf(network, ipVersion === 6);
    let at = 0;
    for (const [depth, bit] of bits.entries()) {
      const node = nodes[at] as Node;
      if (depth === bits.length - 1) node[bit as 0 | 1] = `d${offset}`;
      else {
        if (typeof node[bit as 0 | 1] !== "number")
          node[bit as 0 | 1] = nodes.push([undefined, undefined]) - 1;
        at = Number(node[bit as 0 | 1]);
      }
    }
  }
  const count = nodes.length;
  const recordOf = (one: Node[number]) =>
    one === undefined ? count : typeof one === "number" ? one : count + 16 + Number(one.slice(1));
  const tree = nodes.map((node) => {
    const [left, right] = node.map(recordOf) as [number, number];
    const bytes = Buffer.alloc(recordSize / 4);
    if (recordSize === 28) {
      bytes.writeUIntBE(left & 0xffffff, 0, 3);
      bytes.writeUInt8(((left >>> 24) << 4) | (right >>> 24), 3);
      bytes.writeUIntBE(right & 0xffffff, 4, 3);
    } else {
      bytes.writeUIntBE(left, 0, recordSize / 8);
      bytes.writeUIntBE(right, recordSize / 8, recordSize / 8);
    }
    return bytes;
  });
  const about = {
    node_count: count,
    record_size: recordSize,
    ip_version: ipVersion,
    database_type: "Test-Country",
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
  };
  return Buffer.concat([...tree, Buffer.alloc(16), ...parts, METADATA, encode(about)]);
}

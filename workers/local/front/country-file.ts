import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";

/** MaxMind's format, which several publishers of countries use: maxmind.github.io/MaxMind-DB */

const METADATA = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
/** Bytes between the search tree and the data. */
const SEPARATOR = 16;
/** Types of data that are read here as plain bytes. */
const [POINTER, STRING, MAP, ARRAY, BOOLEAN] = [1, 2, 7, 11, 14];
const NUMBERS = [5, 6, 9, 10];

type Decoded = { value: unknown; end: number };

/**
 * Opens a file of countries by network. Returns a look-up of ISO 3166-1 codes by address. Throws if the file has
 * another format.
 */
export function openCountryFile(path: string): (address: string) => string | undefined {
  const file = readFileSync(path);
  const start = file.lastIndexOf(METADATA);
  if (start < 0) throw new Error(`${path} is no file of MaxMind's format`);
  const metadata = file.subarray(start + METADATA.length);
  const { node_count, record_size, ip_version } = decode(metadata, 0).value as Record<string, number>;
  if (!node_count || ![24, 28, 32].includes(record_size ?? 0))
    throw new Error(`${path} is a file of MaxMind's format that is not known here`);
  const treeBytes = (node_count * (record_size ?? 0)) / 4;
  const data = file.subarray(treeBytes + SEPARATOR, start);
  const next = (node: number, bit: number) => recordOf(file, node, bit, record_size ?? 0);

  return (address) => {
    const bits = bitsOf(address, ip_version === 6);
    if (!bits) return undefined;
    let node = 0;
    for (const bit of bits) {
      if (node >= node_count) break;
      node = next(node, bit);
    }
    return node > node_count ? countryIn(decode(data, node - node_count - SEPARATOR).value) : undefined;
  };
}

/** Publishers name the country in one of these ways. */
function countryIn(found: unknown): string | undefined {
  const { country, country_code, registered_country } = found as Record<string, unknown>;
  const codes = [country, country_code, registered_country].map((one) =>
    typeof one === "object" && one !== null ? (one as { iso_code?: unknown }).iso_code : one,
  );
  return codes.find((code): code is string => typeof code === "string" && /^[A-Z]{2}$/.test(code));
}

/** A node is two records of 24, 28 or 32 bits. Those of 28 share the middle byte. */
function recordOf(tree: Buffer, node: number, bit: number, size: number): number {
  const at = (node * size) / 4;
  if (size === 28) {
    const middle = tree.readUInt8(at + 3);
    const high = bit ? middle & 0x0f : middle >> 4;
    return high * 2 ** 24 + tree.readUIntBE(at + bit * 4, 3);
  }
  return tree.readUIntBE(at + (bit * size) / 8, size / 8);
}

/** IPv4 stands at the end of sixteen bytes of zeros in a tree of IPv6. */
function bitsOf(address: string, isIpv6: boolean): number[] | undefined {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) {
    const bytes = plain.split(".").map(Number);
    return [...(isIpv6 ? Array(96).fill(0) : []), ...bytes.flatMap((byte) => bitsIn(byte, 8))];
  }
  if (!isIpv6) return undefined;
  const [head = "", tail] = plain.split("%")[0]?.split("::") ?? [];
  const groups = (part: string) => (part ? part.split(":").map((group) => Number.parseInt(group, 16)) : []);
  const [left, right] = [groups(head), groups(tail ?? "")];
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill(0);
  return [...left, ...zeros, ...right].flatMap((group) => bitsIn(group, 16));
}

const bitsIn = (number: number, count: number): number[] =>
  Array.from({ length: count }, (_, place) => (number >> (count - 1 - place)) & 1);

/** Decodes the value at an offset. `data` is the base of pointers. */
function decode(data: Buffer, offset: number): Decoded {
  const control = data.readUInt8(offset);
  let at = offset + 1;
  let type = control >> 5;
  if (type === POINTER) return follow(data, control, at);
  if (type === 0) type = 7 + data.readUInt8(at++);
  let size = control & 0x1f;
  if (size > 28) {
    const bytes = size - 28;
    size = [29, 285, 65_821][bytes - 1] ?? 0;
    size += data.readUIntBE(at, bytes);
    at += bytes;
  }
  if (type === MAP) return decodeMap(data, at, size);
  if (type === ARRAY) return decodeArray(data, at, size);
  if (type === BOOLEAN) return { value: size === 1, end: at };
  const bytes = data.subarray(at, at + size);
  const end = at + size;
  if (type === STRING) return { value: bytes.toString("utf8"), end };
  return { value: NUMBERS.includes(type) ? Number(`0x0${bytes.toString("hex")}`) : undefined, end };
}

function follow(data: Buffer, control: number, at: number): Decoded {
  const bytes = ((control >> 3) & 3) + 1;
  const high = bytes === 4 ? 0 : (control & 7) * 2 ** (8 * bytes);
  const to = high + data.readUIntBE(at, bytes) + ([0, 2_048, 526_336, 0][bytes - 1] ?? 0);
  return { value: decode(data, to).value, end: at + bytes };
}

function decodeMap(data: Buffer, offset: number, size: number): Decoded {
  const entries: [string, unknown][] = [];
  let at = offset;
  for (let count = 0; count < size; count++) {
    const name = decode(data, at);
    const { value, end } = decode(data, name.end);
    entries.push([String(name.value), value]);
    at = end;
  }
  return { value: Object.fromEntries(entries), end: at };
}

function decodeArray(data: Buffer, offset: number, size: number): Decoded {
  const values: unknown[] = [];
  let at = offset;
  for (let count = 0; count < size; count++) {
    const { value, end } = decode(data, at);
    values.push(value);
    at = end;
  }
  return { value: values, end: at };
}

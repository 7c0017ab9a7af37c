import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openCountryFile } from "../../workers/local/front/country-file.ts";
import { countryFile } from "./country-file.support.ts";

const place = mkdtempSync(join(tmpdir(), "soundpost-country-"));
afterAll(() => rmSync(place, { recursive: true }));

const path = join(place, "countries.mmdb");
const open = (content: Buffer) => {
  writeFileSync(path, content);
  return openCountryFile(path);
};

const NETWORKS = {
  "203.0.113.0/24": { country: { iso_code: "DE", names: { en: "Germany" } } },
  "198.51.100.0/25": { registered_country: { iso_code: "FR" } },
  "192.0.2.7/32": { country_code: "SE" },
  "100.64.0.0/10": { country: "JP" },
  "2001:db8::/32": { country: { iso_code: "NO" } },
  "10.0.0.0/8": { continent: { code: "EU" } },
};

const EXPECTED: Record<string, string | undefined> = {
  "203.0.113.0": "DE",
  "203.0.113.255": "DE",
  "::ffff:203.0.113.9": "DE",
  "203.0.114.0": undefined,
  "198.51.100.127": "FR",
  "198.51.100.128": undefined,
  "192.0.2.7": "SE",
  "192.0.2.8": undefined,
  "100.100.1.1": "JP",
  "10.1.2.3": undefined,
  "127.0.0.1": undefined,
  nonsense: undefined,
};

const OF_IPV6 = { "2001:db8::1": "NO", "2001:db8:ffff::": "NO", "2001:db9::1": undefined, "::1": undefined };

test.each([24, 28, 32] as const)("countries are found by address, with records of %i bits", (recordSize) => {
  const countryOf = open(countryFile(NETWORKS, { recordSize }));
  for (const [address, country] of Object.entries({ ...EXPECTED, ...OF_IPV6 }))
    expect([address, countryOf(address)]).toEqual([address, country]);
});

test("a file of IPv4 alone knows no other addresses", () => {
  const { "2001:db8::/32": _, ...networks } = NETWORKS;
  const countryOf = open(countryFile(networks, { ipVersion: 4 }));
  for (const [address, country] of Object.entries(EXPECTED))
    expect([address, countryOf(address)]).toEqual([address, country]);
  for (const address of Object.keys(OF_IPV6)) expect(countryOf(address)).toBeUndefined();
});

test("another file is refused with its path", () => {
  expect(() => open(Buffer.from("countries,DE"))).toThrow(`${path} is no file of MaxMind's format`);
});

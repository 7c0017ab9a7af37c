import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import type { CallParameters } from "../../db/call.ts";
import { PROJECT_DIR } from "../support/structure.ts";
import { startMigratedDatabase } from "./migrated-database.ts";

/** TypeScript type of a parameter, by the name of its PostgreSQL type. */
const TYPES: Record<string, string> = {
  int8: "number",
  int4: "number",
  int2: "number",
  float8: "number",
  text: "string",
  uuid: "string",
  bool: "boolean",
  bytea: "Uint8Array",
  timestamptz: "Date | string",
  json: "Json",
  jsonb: "Json",
  _int8: "readonly number[]",
  _text: "readonly string[]",
  _timestamptz: "readonly string[]",
};

const SIGNATURES = `
  SELECT proname AS name, coalesce(proargnames, '{}') AS names, pronargdefaults AS optional, array(
    SELECT t.typname::text FROM unnest(proargtypes) WITH ORDINALITY a (oid, place) JOIN pg_type t ON t.oid = a.oid
    ORDER BY place) AS types
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname = ANY ($1) ORDER BY proname COLLATE "C"`;

interface Signature {
  name: string;
  names: string[];
  optional: number;
  types: string[];
}

const HEAD = `// Written from the database by: npm test -- test/stack/signatures.test.ts -u

/** JSON text, or an object to serialize. An array would become a PostgreSQL array. */
type Json = string | (object & { readonly length?: never });

/** Parameters of the functions that \`db/queries\` calls, without their \`p_\`. */
export interface Functions {
`;

function lineOf({ name, names, types, optional }: Signature): string {
  const parameters = types.map((type, at) => {
    const mark = at >= types.length - optional ? "?" : "";
    return `${names[at]?.replace(/^p_/, "")}${mark}: ${TYPES[type] ?? "never"} | null`;
  });
  return parameters.length
    ? `  ${name}: { ${parameters.join("; ")} };\n`
    : `  ${name}: Record<never, never>;\n`;
}

test("db/signatures.ts matches the parameters of the called functions", async () => {
  const queries = join(PROJECT_DIR, "db/queries");
  const called = readdirSync(queries).flatMap((path) => [
    ...readFileSync(join(queries, path), "utf8").matchAll(/"([a-z]+(?:_[a-z]+)+|resolve|follow)"/g),
  ]);
  const database = await startMigratedDatabase();
  try {
    const { rows } = await database.client.query<Signature>(SIGNATURES, [called.map(([, name]) => name)]);
    const text = `${HEAD}${rows.map(lineOf).join("")}}\n`;
    expect(text).not.toContain("never |");
    await expect(text).toMatchFileSnapshot(join(PROJECT_DIR, "db/signatures.ts"));
  } finally {
    await database.stop();
  }
});

test("a call with a missing or mistyped parameter does not compile", () => {
  type Following = CallParameters<"follow">;
  type Unlimited = Omit<Following, "limit">;
  expectTypeOf<Unlimited & { limit: number }>().toExtend<Following>();
  expectTypeOf<Unlimited>().not.toExtend<Following>();
  expectTypeOf<Unlimited & { limit: string }>().not.toExtend<Following>();
  expectTypeOf<Following>().not.toHaveProperty("newest");
});

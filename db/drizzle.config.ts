/** drizzle-kit only drafts SQL from the schema; `db/migrate.ts` applies it. */
export default {
  dialect: "postgresql",
  schema: "./db/schema/index.ts",
  out: "./db/migrations",
  casing: "snake_case",
} as const;

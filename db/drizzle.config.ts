import { defineConfig } from "drizzle-kit";

/** drizzle-kit only drafts SQL from the schema; `db/migrate.ts` applies it. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./db/schema/index.ts",
  out: "./db/migrations",
  casing: "snake_case",
});

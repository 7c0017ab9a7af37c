import * as z from "zod";

const NeonStatement = z.object({ query: z.string(), params: z.array(z.unknown()).default([]) });
export type NeonStatement = z.infer<typeof NeonStatement>;

const NeonHeaders = z.object({
  "neon-connection-string": z.string(),
  "neon-batch-isolation-level": z
    .enum(["ReadUncommitted", "ReadCommitted", "RepeatableRead", "Serializable"])
    .optional(),
  "neon-batch-read-only": z.enum(["true", "false"]).optional(),
  "neon-batch-deferrable": z.enum(["true", "false"]).optional(),
});

/** A request of `@neondatabase/serverless`, which always asks for raw text and array rows. */
export const NeonRequest = z.object({
  headers: NeonHeaders,
  body: z.union([z.object({ queries: z.array(NeonStatement) }), NeonStatement]),
});
export type NeonRequest = z.infer<typeof NeonRequest>;

const ISOLATION = {
  ReadUncommitted: "READ UNCOMMITTED",
  ReadCommitted: "READ COMMITTED",
  RepeatableRead: "REPEATABLE READ",
  Serializable: "SERIALIZABLE",
};

export function batchStart(headers: z.infer<typeof NeonHeaders>): string {
  const isolation = headers["neon-batch-isolation-level"];
  return [
    "BEGIN",
    isolation && `ISOLATION LEVEL ${ISOLATION[isolation]}`,
    headers["neon-batch-read-only"] === "true" && "READ ONLY",
    headers["neon-batch-deferrable"] === "true" && "DEFERRABLE",
  ]
    .filter(Boolean)
    .join(" ");
}

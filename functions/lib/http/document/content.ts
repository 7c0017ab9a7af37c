import type * as z from "zod";
import type { ZodOpenApiContentObject } from "zod-openapi";

/** JSON, and XML with the same content where the route is formatted. */
export const jsonContent = (schema: z.ZodType, isFormatted: boolean): ZodOpenApiContentObject => ({
  "application/json": { schema },
  ...(isFormatted && { "application/xml": { schema } }),
});

import * as z from "zod";
import type { BodyType } from "./body.ts";
import { firstSegment } from "./url.ts";

/** What one middleware of a route promises. A route's contract is the sum over its handlers. */
export interface Contract {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: "token" | "user";
  /** Everybody's, and yet in the format that is asked for. */
  formatted?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: { schema: z.ZodType; types: readonly BodyType[] };
  /** A multipart form that the route reads itself, as it arrives. */
  form?: z.ZodType;
  responses?: Record<number, ResponseContract>;
  /** Of refusals, in place of the status' reason. */
  descriptions?: Record<string, string>;
}

/** A schema is a JSON reply; a string is the media type of another kind (media, a page), empty where there is no body. */
export type ResponseContract = z.ZodType | string;

export interface DocumentedRoute {
  method: string;
  path: string;
  contract: Contract;
}

/** First path segments of routes that ask for a token, or are formatted as those that do. */
export const resourceSegments = (routes: DocumentedRoute[]): Set<string> =>
  new Set(
    routes
      .filter(({ contract }) => contract.security || contract.formatted)
      .map(({ path }) => firstSegment(path)),
  );

export function together(one: Contract, other: Contract): Contract {
  const responses = { ...one.responses, ...other.responses };
  const headers = { ...one.headers?.shape, ...other.headers?.shape };
  return { ...one, ...other, responses, headers: z.object(headers) };
}

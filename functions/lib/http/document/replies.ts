import type { ZodOpenApiOperationObject } from "zod-openapi";
import { reasonOf } from "../errors.ts";
import { type AnyContract, needsToken, type ReplyBody, takesKey } from "../route.ts";
import { jsonContent } from "./content.ts";
import { headersNamed, refusalHeaders, replyHeaders } from "./headers.ts";
import type { Refusals } from "./refusals.ts";

type Reply = NonNullable<NonNullable<ZodOpenApiOperationObject["responses"]>["200"]>;

/** Merges the contract's own replies and errors with those of its checks. */
export function responsesOf(
  method: string,
  contract: AnyContract,
  isFormatted: boolean,
  refusals: Refusals,
): Record<string, Reply> {
  const { auth, params, query, body, precondition, errors = {}, replies, csv } = contract;
  const checks = [
    ...(needsToken(auth) ? [401, 403] : []),
    ...(needsToken(auth) || auth === "anyone" ? [400, 406] : []),
    ...(takesKey(method, contract.auth) ? [400, 409, 422] : []),
    ...(params ? [404] : []),
    ...(query ? (contract.badQuery ? [400] : [400, 422]) : []),
    ...(body ? [400, 413, 415, 422] : []),
    ...(precondition === "If-Match" ? [412] : []),
    405,
    500,
    503,
    504,
  ];
  const found: Record<string, Reply> = {};
  for (const status of checks) found[status] = refusals.of(String(status), undefined, isFormatted);
  for (const [status, text] of Object.entries(errors))
    if (!(status in replies)) found[status] = refusals.of(status, text, isFormatted);
  if (precondition === "If-None-Match")
    found[304] = {
      description: reasonOf(304),
      headers: headersNamed("X-Request-Id", "Cache-Control", "ETag"),
    };
  for (const [status, reply] of Object.entries(replies)) {
    const headers = Number(status) < 400 ? replyHeaders(method, contract, status) : refusalHeaders(status);
    const said = Object.entries(errors).find(([named]) => named === status)?.[1];
    found[status] = {
      ...replyOf(status, reply, isFormatted, csv),
      headers,
      ...(said && { description: said }),
    };
  }
  found.default = refusals.of("default", undefined, isFormatted);
  return found;
}

function replyOf(status: string, reply: ReplyBody, isFormatted: boolean, csv = false) {
  const description = reasonOf(Number(status));
  if (reply === "") return { description };
  return {
    description,
    content:
      typeof reply === "string"
        ? filesOf(reply)
        : { ...jsonContent(reply, isFormatted), ...(csv && status === "200" && filesOf("text/csv")) },
  };
}

/** Media types are separated by commas. */
const filesOf = (types: string) => Object.fromEntries(types.split(", ").map((type) => [type, {}]));

import type { BodyType } from "./body.ts";
import type { Contract as Described, DocumentedRoute } from "./contract.ts";
import { ErrorBody } from "./errors.ts";
import { IF_MATCH, IF_NONE_MATCH } from "./etag.ts";
import { type AnyContract, needsToken, type Route } from "./route.ts";
import { acceptedTypes, withBare } from "./validate.ts";

const PRECONDITIONS = { "If-None-Match": IF_NONE_MATCH, "If-Match": IF_MATCH };

/** Routes as the document's generator takes them; pages are left out. */
export const describedRoutes = (routes: readonly Route[]): DocumentedRoute[] =>
  routes.flatMap(({ method, path, contract }) =>
    contract ? [{ method, path, contract: describe(contract) }] : [],
  );

/** Adds the refusals that auth, parameters, query, body and precondition bring with them. */
function describe(contract: AnyContract): Described {
  const { operationId, summary, description, tag, auth, params, query, body, precondition, upload } =
    contract;
  const condition = precondition && PRECONDITIONS[precondition];
  const types: readonly BodyType[] = contract.accepts ?? ["json"];
  const statuses = Object.keys({
    ...(needsToken(auth) && { 401: 1 }),
    ...(params && { 404: 1 }),
    ...(query && { 400: 1, ...(!contract.badQuery && { 422: 1 }) }),
    ...(body && { 400: 1, 413: 1, 415: 1, 422: 1 }),
    ...contract.errors,
  });
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(tag !== undefined && { tags: [tag] }),
    ...(auth === "user" ? { security: "user" } : needsToken(auth) && { security: "token" }),
    ...(auth === "anyone" && { formatted: true }),
    ...(params && { params }),
    ...(query && { query }),
    ...(body && {
      body: { schema: withBare(body, contract.bareArray), types: acceptedTypes(types) },
    }),
    ...(upload && { form: upload.body }),
    ...(condition && { headers: condition.headers }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, ErrorBody])),
      ...condition?.responses,
      ...contract.replies,
    },
    descriptions: { ...contract.errors },
  };
}

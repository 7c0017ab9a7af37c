import * as z from "zod";
import type {
  ZodOpenApiContentObject,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiSecuritySchemeObject,
} from "zod-openapi";
import { formFields } from "./body/form-fields.ts";
import { type BodyType, MEDIA_TYPES } from "./body/read.ts";
import type { Env } from "./env.ts";
import { ErrorBody, reasonOf } from "./errors.ts";
import { IF_MATCH, IF_NONE_MATCH } from "./etag.ts";
import { IDEMPOTENCY_KEY } from "./idempotency.ts";
import { type AnyContract, type Auth, needsToken, type ReplyBody, takesKey } from "./route.ts";
import { firstSegment } from "./url.ts";
import { acceptedTypes, withBare } from "./validate.ts";

type Reply = NonNullable<NonNullable<ZodOpenApiOperationObject["responses"]>["200"]>;

/** Statuses documented one by one. `default` covers the others, such as 405. */
const DOCUMENTED = [400, 401, 403, 404, 406, 409, 410, 412, 413, 415, 416, 422, 429, 503, 504];

const DESCRIPTIONS: Record<number, string> = {
  503: "A part of the service is unavailable. Nothing was changed.",
  504: "A part of the service did not answer in time. The request may have taken effect.",
};

const componentOf = (status: string | number): string => reasonOf(Number(status)).replace(/\W/g, "");

/** Operations refer to these, so that each error is written once. */
export const ERROR_RESPONSES: Record<string, { description: string; content: ZodOpenApiContentObject }> = {
  ...Object.fromEntries(
    DOCUMENTED.map((status) => [
      componentOf(status),
      { description: DESCRIPTIONS[status] ?? reasonOf(status), content: json(ErrorBody, true) },
    ]),
  ),
  Error: { description: "Any other error, such as 405, 429 or 500.", content: json(ErrorBody, true) },
};

/** A user's token comes from the first flow, an app's own token from the second. */
export const securitySchemes = (
  env: Pick<Env, "AUTH_URL">,
): Record<"user" | "app", ZodOpenApiSecuritySchemeObject> => ({
  user: {
    type: "oauth2",
    description: "A token that a user delegated to an app. PKCE is required.",
    flows: {
      authorizationCode: {
        authorizationUrl: `${env.AUTH_URL}/authorize`,
        tokenUrl: `${env.AUTH_URL}/oauth/token`,
        refreshUrl: `${env.AUTH_URL}/oauth/token`,
        scopes: {},
      },
    },
  },
  app: {
    type: "oauth2",
    description: "An app's own token, for public resources.",
    flows: { clientCredentials: { tokenUrl: `${env.AUTH_URL}/oauth/token`, scopes: {} } },
  },
});

const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  user: [{ user: [] }],
  token: [{ user: [] }, { app: [] }],
  app: [{ user: [] }, { app: [] }],
  anyone: [],
  page: [],
};

/** Documents a route. `isFormatted`: its JSON is also available as XML. */
export function operationOf(
  method: string,
  path: string,
  contract: AnyContract,
  isFormatted: boolean,
): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, auth, params, query } = contract;
  const headers = headersOf(method, contract);
  const requestBody = bodyOf(contract);
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag ?? firstSegment(path)],
    security: SECURITY[auth],
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(requestBody && { requestBody }),
    responses: responsesOf(method, contract, isFormatted),
  };
}

function headersOf(method: string, contract: AnyContract): z.ZodObject | undefined {
  const shapes = {
    ...(contract.precondition === "If-None-Match" && IF_NONE_MATCH.shape),
    ...(contract.precondition === "If-Match" && IF_MATCH.shape),
    ...(takesKey(method, contract.auth) && IDEMPOTENCY_KEY.shape),
  };
  return Object.keys(shapes).length ? z.object(shapes) : undefined;
}

function bodyOf({ body, accepts = ["json"], bareArray, upload, ownBody }: AnyContract) {
  if (ownBody)
    return { required: true, content: { [MEDIA_TYPES[ownBody.type]]: { schema: ownBody.schema } } };
  if (!body) return undefined;
  const whole = withBare(body, bareArray);
  const content: ZodOpenApiContentObject = {};
  for (const type of acceptedTypes(accepts))
    content[MEDIA_TYPES[type]] = {
      schema: type === "json" || type === "xml" ? whole : formBody(whole, type),
    };
  if (upload) content[MEDIA_TYPES.multipart] = { schema: formBody(upload.body, "multipart") };
  return { required: true, content };
}

/** Form fields are flat, and only multipart forms hold files. */
function formBody(schema: z.ZodType, type: BodyType): NonNullable<ZodOpenApiMediaTypeObject["schema"]> {
  const fields = Object.entries(formFields(schema));
  const sendable = fields.filter(([, field]) => type === "multipart" || field.format !== "binary");
  return { type: "object", properties: Object.fromEntries(sendable) };
}

/** Merges the contract's own replies and errors with those of its checks. */
function responsesOf(method: string, contract: AnyContract, isFormatted: boolean): Record<string, Reply> {
  const { auth, params, query, body, precondition, errors = {}, replies } = contract;
  const checks = [
    ...(needsToken(auth) ? [401] : []),
    ...(needsToken(auth) || auth === "anyone" ? [400, 406] : []),
    ...(takesKey(method, contract.auth) ? [400, 409, 422] : []),
    ...(params ? [404] : []),
    ...(query ? (contract.badQuery ? [400] : [400, 422]) : []),
    ...(body ? [400, 413, 415, 422] : []),
    ...(precondition === "If-Match" ? [412] : []),
    ...[503, 504],
  ];
  const found: Record<string, Reply> = {};
  for (const status of checks) found[status] = refusal(String(status), undefined, isFormatted);
  for (const [status, text] of Object.entries(errors)) found[status] = refusal(status, text, isFormatted);
  if (precondition === "If-None-Match") found[304] = { description: reasonOf(304) };
  for (const [status, reply] of Object.entries(replies)) found[status] = replyOf(status, reply, isFormatted);
  found.default = refusal("default", undefined, isFormatted);
  return found;
}

function refusal(status: string, text: string | undefined, isFormatted: boolean): Reply {
  const name = status === "default" ? "Error" : componentOf(status);
  if (isFormatted)
    return { $ref: `#/components/responses/${name}`, ...(text !== undefined && { description: text }) };
  const description = text ?? ERROR_RESPONSES[name]?.description ?? reasonOf(Number(status));
  return { description, content: json(ErrorBody, false) };
}

function replyOf(status: string, reply: ReplyBody, isFormatted: boolean) {
  const description = reasonOf(Number(status));
  if (reply === "") return { description };
  return { description, content: typeof reply === "string" ? { [reply]: {} } : json(reply, isFormatted) };
}

function json(schema: z.ZodType, isFormatted: boolean) {
  return { "application/json": { schema }, ...(isFormatted && { "application/xml": { schema } }) };
}

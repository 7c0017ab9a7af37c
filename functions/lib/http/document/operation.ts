import * as z from "zod";
import type {
  ZodOpenApiContentObject,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
} from "zod-openapi";
import { formFields } from "../body/form-fields.ts";
import { type BodyType, MEDIA_TYPES } from "../body/read.ts";
import { announcementOf, deprecationsOf } from "../deprecations.ts";
import { IF_MATCH, IF_NONE_MATCH } from "../etag.ts";
import { IDEMPOTENCY_KEY } from "../idempotency.ts";
import { PREFER } from "../ignored.ts";
import { type AnyContract, type Route, takesKey } from "../route.ts";
import { firstSegment } from "../url.ts";
import { acceptedTypes, withBare } from "../validate.ts";
import type { Refusals } from "./refusals.ts";
import { responsesOf } from "./replies.ts";
import { securityOf } from "./security.ts";

/** Documents a route. `isFormatted`: its JSON is also available as XML. */
export function operationOf(
  { method, path }: Pick<Route, "method" | "path">,
  contract: AnyContract,
  isFormatted: boolean,
  refusals: Refusals,
): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, params, query = contract.ownQuery } = contract;
  const headers = headersOf(method, contract);
  const requestBody = bodyOf(contract);
  const deprecations = deprecationsOf(operationId);
  const texts = [description, ...deprecations.map(announcementOf)].filter((text) => text !== undefined);
  return {
    operationId,
    summary,
    ...(texts.length && { description: texts.join("\n\n") }),
    ...(deprecations.length && { deprecated: true }),
    tags: [tag ?? firstSegment(path)],
    security: securityOf(contract),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(requestBody && { requestBody }),
    responses: responsesOf(method, contract, isFormatted, refusals),
  };
}

function headersOf(method: string, contract: AnyContract): z.ZodObject | undefined {
  const shapes = {
    ...(contract.precondition === "If-None-Match" && IF_NONE_MATCH.shape),
    ...(contract.precondition === "If-Match" && IF_MATCH.shape),
    ...(takesKey(method, contract.auth) && IDEMPOTENCY_KEY.shape),
    ...(contract.body && PREFER.shape),
    ...contract.ownHeaders?.shape,
  };
  return Object.keys(shapes).length ? z.object(shapes) : undefined;
}

function bodyOf({ body, form, accepts = ["json"], bareArray, upload, ownBody }: AnyContract) {
  if (ownBody) {
    const mediaType = ownBody.type === "bytes" ? "application/octet-stream" : MEDIA_TYPES[ownBody.type];
    return { required: true, content: { [mediaType]: { schema: ownBody.schema } } };
  }
  if (!body) return undefined;
  const whole = withBare(body, bareArray);
  const content: ZodOpenApiContentObject = {};
  for (const type of acceptedTypes(accepts))
    content[MEDIA_TYPES[type]] = {
      schema: type === "json" || type === "xml" ? whole : formBody(form ?? whole, type),
    };
  if (upload) content[MEDIA_TYPES.multipart] = { schema: formBody(upload.body, "multipart") };
  return { required: true, content };
}

/**
 * Form fields are flat, and only multipart forms hold files. The JSON's wrapper is excluded, so that no generated
 * client takes a JSON body for a form: by `null`, because some generators cannot read `false`.
 */
function formBody(schema: z.ZodType, type: BodyType): NonNullable<ZodOpenApiMediaTypeObject["schema"]> {
  const { properties, required } = formFields(schema);
  const fields = Object.entries(properties);
  const sendable = fields.filter(([, field]) => type === "multipart" || field.format !== "binary");
  const wrappers = fields.flatMap(([name]) => /^(\w+)\[/.exec(name)?.[1] ?? []);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(sendable),
      ...Object.fromEntries(wrappers.map((name) => [name, ruledOut(name)])),
    },
    ...(required.length && { required }),
  };
}

const ruledOut = (name: string) => ({
  type: "null" as const,
  description: `A form has \`${name}[…]\` instead.`,
});

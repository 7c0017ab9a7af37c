import type { ZodOpenApiContentObject, ZodOpenApiHeadersObject } from "zod-openapi";
import { ErrorBody, reasonOf } from "../errors.ts";
import { jsonContent } from "./content.ts";
import { refusalHeaders } from "./headers.ts";

const DESCRIPTIONS: Record<number, string> = {
  403: "The token's scope does not include this, or the user may not do it, such as before their e-mail address is confirmed.",
  429: "Too many requests of this kind. `Retry-After` says when to come back.",
  405: "The address has no such method. `Allow` lists those it has.",
  500: "A fault of the service. Report `X-Request-Id`.",
  503: "A part of the service is unavailable. Nothing was changed.",
  504: "A part of the service did not answer in time. The request may have taken effect.",
};

type Refusal = {
  description: string;
  headers: ZodOpenApiHeadersObject;
  content: ZodOpenApiContentObject;
};

/** Error replies that operations share. Each is a component, written only if an operation uses it. */
export class Refusals {
  readonly used: Record<string, Refusal> = {};

  /** Returns a reference, with the operation's own text if there is one. */
  of(status: string, text: string | undefined, isFormatted: boolean) {
    const name = componentOf(status) + (isFormatted ? "" : "AsJson");
    this.used[name] ??= {
      description: status === "default" ? "Any other error." : descriptionOf(Number(status)),
      headers: refusalHeaders(status),
      content: jsonContent(ErrorBody, isFormatted),
    };
    return { $ref: `#/components/responses/${name}`, ...(text !== undefined && { description: text }) };
  }
}

const componentOf = (status: string): string =>
  status === "default" ? "Error" : reasonOf(Number(status)).replace(/\W/g, "");

const descriptionOf = (status: number): string => DESCRIPTIONS[status] ?? reasonOf(status);

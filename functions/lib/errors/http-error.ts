import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorType } from "./error-types.ts";

/** A refusal or failure that becomes the reply. Each cause is a text for people. */
export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly causes: string[];
  readonly headers: Record<string, string>;
  /** `undefined`: the status alone names the error. */
  readonly type: ErrorType | undefined;
  /** Fields that another standard adds to the error object or puts in its place. */
  fields: Record<string, unknown> = {};
  /** Accompanies the first cause. */
  meta: object | undefined;

  constructor(
    status: ContentfulStatusCode,
    causes: string[],
    headers: Record<string, string> = {},
    type?: ErrorType,
  ) {
    super(causes.join("; "));
    this.name = "HttpError";
    this.status = status;
    this.causes = causes;
    this.headers = headers;
    this.type = type;
  }
}

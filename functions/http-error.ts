/** A refusal or failure that becomes the reply: its status, and a cause each for whoever reads it. */
export class HttpError extends Error {
  readonly status: number;
  readonly causes: string[];
  readonly headers: Record<string, string>;
  /** What a reply of another standard says besides, or instead, of the error object's own fields. */
  fields: Record<string, unknown> = {};
  /** Stands beside the first cause. */
  meta: object | undefined;

  constructor(status: number, causes: string[], headers: Record<string, string> = {}) {
    super(causes.join("; "));
    this.name = "HttpError";
    this.status = status;
    this.causes = causes;
    this.headers = headers;
  }
}

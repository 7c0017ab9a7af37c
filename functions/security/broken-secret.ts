import { HttpError } from "../http-error.ts";

type SecretName = "JWT_KEYS" | "SIGNING_KEYS" | "SEAL_KEYS";

/** Seconds. It takes an operator. */
const RETRY_AFTER_S = 30;

/**
 * A secret of the deployment is missing or broken. Never the caller's fault: a 401 would have clients throw away tokens that
 * are good again once it is mended.
 */
export class BrokenSecret extends HttpError {
  constructor(secret: SecretName, options?: ErrorOptions) {
    super(503, ["The service is not set up right, and nothing was done. Try again later."], {
      "Retry-After": String(RETRY_AFTER_S),
    });
    // For the log and for operators; a reply tells causes alone.
    this.message = `The secret ${secret} is missing or broken`;
    this.name = `BrokenSecret: ${secret}`;
    this.cause = options?.cause;
  }
}

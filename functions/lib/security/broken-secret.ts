import { HttpError } from "../errors/http-error.ts";

type SecretName = "JWT_KEYS" | "SIGNING_KEYS" | "SEAL_KEYS";

/** Seconds. An operator has to repair it. */
const RETRY_AFTER_S = 30;

/**
 * A secret of the deployment is missing or broken. A 401 would make clients discard tokens that work again
 * after the repair.
 */
export class BrokenSecret extends HttpError {
  constructor(secret: SecretName, options?: ErrorOptions) {
    super(503, ["The service is not configured correctly; nothing was changed. Try again later."], {
      "Retry-After": String(RETRY_AFTER_S),
    });
    // The log and operators see this; replies show only causes.
    this.message = `The secret ${secret} is missing or broken`;
    this.name = `BrokenSecret: ${secret}`;
    this.cause = options?.cause;
  }
}

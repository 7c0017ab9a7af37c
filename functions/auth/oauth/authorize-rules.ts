import { parseScope } from "../../lib/http/scopes.ts";

export type ResponseType = "code" | "token" | "code_and_token";

/** Differences between `/authorize` and the older `/connect`. */
export interface Rules {
  /** Response types by their names in requests. */
  responseTypes: Record<string, ResponseType>;
  pkceRequired: boolean;
  /** Returns the scope to grant, or `undefined` for one that does not exist. */
  parseScope: (asked: string) => string | undefined;
  /** RFC 9207. Older clients do not know `iss`. */
  sendsIssuer: boolean;
}

export const CURRENT_RULES: Rules = {
  responseTypes: { code: "code" },
  pkceRequired: true,
  parseScope,
  sendsIssuer: true,
};

export interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  responseType: ResponseType;
  codeChallenge: string | null;
  state: string | undefined;
  /** Empty for everything. */
  scope: string;
  rules: Rules;
}

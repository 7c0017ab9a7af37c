export type ResponseType = "code" | "token" | "code_and_token";

/** Differences between `/authorize` and the older `/connect`. */
export interface Rules {
  /** Response types by their names in requests. */
  responseTypes: Record<string, ResponseType>;
  pkceRequired: boolean;
  /** Granted scopes by their names in requests; "" for none. */
  scopes: Record<string, string>;
  /** RFC 9207. Older clients do not know `iss`. */
  sendsIssuer: boolean;
}

export const CURRENT_RULES: Rules = {
  responseTypes: { code: "code" },
  pkceRequired: true,
  scopes: { "": "" },
  sendsIssuer: true,
};

export interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  responseType: ResponseType;
  codeChallenge: string | null;
  state: string | undefined;
  scope: string;
  rules: Rules;
}

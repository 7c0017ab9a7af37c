export type ResponseType = "code" | "token" | "code_and_token";

/** What `/authorize` and the older `/connect` see differently. */
export interface Rules {
  /** As clients write it → what it means. */
  responseTypes: Record<string, ResponseType>;
  pkceRequired: boolean;
  /** As clients write it, "" for none → what is granted. */
  scopes: Record<string, string>;
  /** RFC 9207; older clients know no `iss`. */
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

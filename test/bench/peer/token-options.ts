/** JSON in the first argument. */
export interface PeerOptions {
  databaseUrl: string;
  /** Every client has this secret. */
  clientIds: string[];
  clientSecret: string;
  refreshTokens: number;
}

/** Printed as one line of JSON. */
export interface PeerReady {
  port: number;
  refreshTokens: string[];
  accessToken: string;
}

/** Seconds. RFC 6749 §4.1.2 advises ten minutes at most; ours only crosses one redirect. */
export const AUTHORIZATION_CODE_TTL_S = 60;

/** Seconds that a user's grant lasts, regardless of refreshes. */
export const SESSION_TTL_S = 365 * 24 * 3600;

/** Seconds that a refresh token lasts unused. */
export const REFRESH_TOKEN_TTL_S = 90 * 24 * 3600;

/** Seconds that an app's own session lasts. The app can make another at any time. */
export const APP_SESSION_TTL_S = 30 * 24 * 3600;

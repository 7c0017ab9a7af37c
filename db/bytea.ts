/** Encodes bytes as PostgreSQL reads them in a text parameter. */
export const bytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`;

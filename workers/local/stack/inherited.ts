/** Settings with passwords or keys, which the operator may have set for us. Transcoders read strangers' files. */
const SECRET =
  /^(?:.*DATABASE_URL|SMTP_URL|OTLP_HEADERS|CONNECTION_SERVICES|.*_TOKEN|.*_SECRET.*|.*PASSWORD.*|.*_KEYS|.*_KEY(?:_ID)?)$/;

/** The variables that the stack's programs get besides their own. */
export const inheritedFrom = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !SECRET.test(name)));

export const isJson = ({ headers }: Response): boolean =>
  headers.get("Content-Type")?.startsWith("application/json") ?? false;

/** The body that the API document promises. */
export const jsonOf = async <Body>(reply: Response): Promise<Body> => (await reply.json()) as Body;

import { stack } from "./stack.ts";

export interface Operation {
  /** As `GET /tracks/{id}`. */
  name: string;
  method: string;
  path: string;
  /** Absent where anybody may ask. */
  security: "token" | "user" | undefined;
  statuses: number[];
}

interface OpenApi {
  paths: Record<string, Record<string, { security: Record<string, unknown>[]; responses: object }>>;
}

/** Everything that the service's own document holds, so that no route escapes the tests that go over all of them. */
export async function operations(): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${stack.urls.api}/openapi.json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, { security, responses }]) => {
      const method = verb.toUpperCase();
      const [needed] = Object.keys(security[0] ?? {});
      return {
        name: `${method} ${path}`,
        method,
        path,
        security: needed === "token" || needed === "user" ? needed : undefined,
        statuses: Object.keys(responses).map(Number),
      };
    }),
  );
}

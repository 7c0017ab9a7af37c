import type { Context } from "hono";
import { type FormPart, multipartParts } from "./multipart.ts";

interface FormAhead {
  read: FormPart[];
  rest: AsyncGenerator<FormPart>;
}

declare module "hono" {
  interface ContextVariableMap {
    formAhead: FormAhead | undefined;
  }
}

/** Reads a form's fields up to its first file, before the handler runs. `partsOf` yields them again. */
export async function fieldsAhead(c: Context): Promise<[name: string, value: string][]> {
  const ahead: FormAhead = { read: [], rest: multipartParts(c.req.raw) };
  c.set("formAhead", ahead);
  const fields: [string, string][] = [];
  for (;;) {
    const { value: part, done } = await ahead.rest.next();
    if (done) return fields;
    ahead.read.push(part);
    if (part.kind === "file") return fields;
    fields.push([part.name, part.value]);
  }
}

/** Yields all parts of the multipart form, those read ahead included. */
export async function* partsOf(c: Context): AsyncGenerator<FormPart> {
  const ahead = c.get("formAhead");
  if (ahead) yield* ahead.read;
  yield* ahead ? ahead.rest : multipartParts(c.req.raw);
}

/** Ends the reading. The body's unread rest is left to `drainRefused`. */
export const leaveForm = async (c: Context): Promise<unknown> => c.get("formAhead")?.rest.return(undefined);

import type { Context } from "hono";
import { type FormPart, multipartParts } from "./multipart.ts";

interface StartedForm {
  read: FormPart[];
  rest: AsyncGenerator<FormPart>;
}

declare module "hono" {
  interface ContextVariableMap {
    startedForm: StartedForm | undefined;
  }
}

/** Reads a form's fields up to its first file, before the handler runs. `partsOf` yields them again. */
export async function readLeadingFields(c: Context): Promise<[name: string, value: string][]> {
  const form: StartedForm = { read: [], rest: multipartParts(c.req.raw) };
  c.set("startedForm", form);
  const fields: [string, string][] = [];
  for (;;) {
    const { value: part, done: isEnd } = await form.rest.next();
    if (isEnd) return fields;
    form.read.push(part);
    if (part.kind === "file") return fields;
    fields.push([part.name, part.value]);
  }
}

/** Yields all parts of the multipart form, those read ahead included. */
export async function* partsOf(c: Context): AsyncGenerator<FormPart> {
  const form = c.get("startedForm");
  if (form) yield* form.read;
  yield* form ? form.rest : multipartParts(c.req.raw);
}

/** Ends the reading. The body's unread rest is left to `drainRefused`. */
export const leaveForm = async (c: Context): Promise<unknown> => c.get("startedForm")?.rest.return(undefined);

import type { Context } from "hono";
import { formMemory } from "./form-memory.ts";
import { type FormPart, multipartParts } from "./multipart.ts";
import { READ_BYTES } from "./multipart-segments.ts";

interface StartedForm {
  read: FormPart[];
  rest: AsyncGenerator<FormPart>;
}

declare module "hono" {
  interface ContextVariableMap {
    startedForm: StartedForm | undefined;
    /** The format that older clients send as a form field. */
    formatInForm: string | undefined;
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

/** Yields all parts of the multipart form, including those already read. */
export async function* partsOf(c: Context): AsyncGenerator<FormPart> {
  const form = c.get("startedForm");
  for (const part of form?.read ?? []) yield noted(c, part);
  for await (const part of form ? form.rest : multipartParts(c.req.raw)) yield noted(c, part);
}

function noted(c: Context, part: FormPart): FormPart {
  if (part.kind === "file") formMemory(c).hold(READ_BYTES);
  if (part.kind === "field" && part.name === "format") c.set("formatInForm", part.value);
  return part;
}

/** Stops reading. `drainRefused` handles the rest of the body. */
export const leaveForm = async (c: Context): Promise<unknown> => c.get("startedForm")?.rest.return(undefined);

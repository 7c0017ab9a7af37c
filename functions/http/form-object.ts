import { badRequest } from "./errors.ts";

type Fields = Record<string, unknown>;

/** `track[title]=x` becomes `{track: {title: "x"}}`. Of a repeated field no value would be the right one. */
export function formObject(fields: Iterable<[name: string, value: unknown]>): Fields {
  const body: Fields = Object.create(null);
  const wrappers: Record<string, Fields> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of fields) {
    if (seen.has(name)) badRequest(`${name} was sent more than once`);
    seen.add(name);
    const [, wrapper, field] = /^([a-z_]+)\[([a-z_]+)\]$/.exec(name) ?? [];
    const outer = wrapper ?? name;
    if (outer in body && (wrapper === undefined || !(outer in wrappers)))
      badRequest(`${outer} was sent both as a value and as an object`);
    if (wrapper === undefined || field === undefined) body[name] = value;
    else {
      wrappers[wrapper] ??= Object.create(null) as Fields;
      wrappers[wrapper][field] = value;
      body[wrapper] = wrappers[wrapper];
    }
  }
  return body;
}

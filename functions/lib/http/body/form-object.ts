import { badRequest } from "../errors.ts";

type Fields = Record<string, unknown>;

/**
 * `track[title]=x` becomes `{track: {title: "x"}}`. Repeated `playlist[tracks][][id]=1` or `tracks[][id]=1`
 * becomes an array of objects, and `track[artists][][name]=x&track[artists][][role]=y` one object. PHP numbers the
 * items. Any other repeated field is refused, because no value would be the right one.
 */
export function formObject(fields: Iterable<[name: string, value: unknown]>): Fields {
  const body: Fields = Object.create(null);
  const wrappers: Record<string, Fields> = Object.create(null);
  const seen = new Set<string>();
  for (const [name, value] of gatherLists(fields)) {
    if (seen.has(name)) badRequest(`${name} was sent more than once`, "repeated-parameter");
    seen.add(name);
    const [, wrapper, field] = /^([a-z_]+)\[([a-z_]+)\]$/.exec(name) ?? [];
    const outer = wrapper ?? name;
    if (outer in body && (wrapper === undefined || !(outer in wrappers)))
      badRequest(`${outer} was sent both as a value and as an object`, "repeated-parameter");
    if (wrapper === undefined || field === undefined) body[name] = value;
    else {
      wrappers[wrapper] ??= Object.create(null) as Fields;
      wrappers[wrapper][field] = value;
      body[wrapper] = wrappers[wrapper];
    }
  }
  return body;
}

const isFields = (item: unknown): item is Fields =>
  typeof item === "object" && item !== null && !("bytes" in item);

/** Each stands for a whole item. Other fields belong to one item until one of them comes again. */
const REFERENCES = new Set(["id", "urn"]);

const ITEM = /^([a-z_]+(?:\[[a-z_]+\])?)\[(\d*)\](?:\[([a-z_]+)\])?$/;

interface List {
  items: unknown[];
  /** Number of the last item, empty without one. */
  number: string;
}

/** Gathers the items of each list into one array. An empty `[]` makes an empty list. */
function* gatherLists(fields: Iterable<[name: string, value: unknown]>): Iterable<[string, unknown]> {
  const lists = new Map<string, List>();
  for (const [name, value] of fields) {
    const [, list, number = "", key] = ITEM.exec(name) ?? [];
    if (list === undefined) yield [name, value];
    else {
      const known = lists.get(list) ?? { items: [], number };
      lists.set(list, known);
      const { items } = known;
      const last = items.at(-1);
      const isSameItem = number ? number === known.number : key !== undefined && !REFERENCES.has(key);
      known.number = number;
      if (isSameItem && key !== undefined && isFields(last) && !(key in last)) last[key] = value;
      else if (key !== undefined) items.push({ [key]: value });
      else if (value !== "") items.push(value);
    }
  }
  for (const [name, { items }] of lists) yield [name, items];
}

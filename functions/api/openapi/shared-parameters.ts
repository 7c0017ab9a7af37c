import { type ApiDocument, operationsIn, type Parameter } from "./schema.ts";

/** A parameter that several operations take, by what it says. */
interface Shared {
  parameter: Parameter;
  /** Tag and id of the first of them. */
  tag: string;
  operationId: string;
}

/** Writes each parameter that several operations take once, among the components. */
export function shareParameters(document: ApiDocument): void {
  const shared = sharedIn(document);
  const components: Record<string, Parameter> = {};
  const references = new Map<string, { $ref: string }>();
  for (const [text, one] of shared) {
    const name = nameOf(one, [...shared.values()], components);
    components[name] = one.parameter;
    references.set(text, { $ref: `#/components/parameters/${name}` });
  }
  document.components.parameters = components;
  for (const operation of operationsIn(document))
    operation.parameters = operation.parameters?.map((one) => references.get(JSON.stringify(one)) ?? one);
}

function sharedIn(document: ApiDocument): Map<string, Shared> {
  const seen = new Map<string, Shared>();
  const shared = new Map<string, Shared>();
  for (const { operationId = "", tags: [tag = ""] = [], parameters = [] } of operationsIn(document))
    for (const parameter of parameters) {
      if ("$ref" in parameter) continue;
      const text = JSON.stringify(parameter);
      const before = seen.get(text);
      if (before) shared.set(text, before);
      else seen.set(text, { parameter, tag, operationId });
    }
  return shared;
}

/** Namesakes that say different things have their first tag or operation before the name. */
function nameOf({ parameter, tag, operationId }: Shared, all: Shared[], taken: object): string {
  const name = parameter.name.replace(/\[(\w+)\]/, ".$1");
  const namesakes = all.filter((other) => other.parameter.name === parameter.name);
  if (namesakes.length === 1) return name;
  return `${tag}.${name}` in taken ? `${operationId}.${name}` : `${tag}.${name}`;
}

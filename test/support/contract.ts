import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

interface Reply {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Reply>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Reply> };
}

/** Statuses that `default` documents. Each operation lists the others. */
const BY_DEFAULT = [405, 429, 500];

/** Most schemas check a handful of replies, so compiling them would take longer than checking. */
const COMPILED_QUICKLY = { strict: false, inlineRefs: false, code: { optimize: false } };

/** The specification's "Older error body". */
const OLDER_ERROR = {
  type: "object",
  required: ["errors"],
  additionalProperties: false,
  properties: {
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["error_message"],
        properties: { error_message: { type: "string" } },
      },
    },
  },
};

interface Exchange {
  method: string;
  path: string;
  sent: unknown;
  status: number;
  contentType: string;
  body: unknown;
  /** The older dialect has its own error body. */
  older: boolean;
}

/** Checks requests and replies against the service's own document. Undocumented ones fail. */
export class Contract {
  readonly document: OpenApi;
  readonly #ajv = new Ajv2020({ ...COMPILED_QUICKLY, allErrors: true, validateFormats: true });
  /** The service also reads numbers, flags and lists that are written as text. The document says what clients send. */
  readonly #lenient = new Ajv2020({ ...COMPILED_QUICKLY, coerceTypes: "array" });
  readonly #compiled = new Map<string, ValidateFunction>();
  readonly #templates: { pattern: RegExp; path: string }[];

  constructor(document: OpenApi) {
    this.document = document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, "openapi");
    addFormats.default(this.#lenient);
    this.#lenient.addSchema(document, "openapi");
    // Fixed segments sort before parameters, as in the router.
    this.#templates = Object.keys(document.paths)
      .sort((a, b) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0))
      .map((path) => ({
        path,
        pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
      }));
  }

  check(exchange: Exchange): void {
    const { method, status, body, sent, contentType, older } = exchange;
    if (older && status >= 400) {
      this.#olderError(exchange);
      return;
    }
    const found = this.#operation(exchange);
    if (!found) {
      if (status >= 400) return;
      throw new Error(`${method} ${exchange.path} answered ${status} and stands in no document`);
    }
    const { path, operation } = found;
    const { promised, at } = this.#promised(path, method, operation, status);
    if (!promised)
      throw new Error(
        `${method} ${path} answered ${status}, which is not documented: ${JSON.stringify(body)}`,
      );
    const [mediaType = ""] = contentType.split(";");
    // The introduction documents JSONP once, for every reply that also comes as XML.
    if (mediaType === "text/javascript" && method === "GET" && promised.content?.["application/xml"]) return;
    const pointer = [...at, "content", mediaType, "schema"];
    if (!promised.content) {
      if (body !== "") throw new Error(`${method} ${path} answered ${status} with a body`);
    } else if (promised.content[mediaType]?.schema) this.#validate(`reply ${status}`, pointer, body);
    else if (!Object.keys(promised.content).some((type) => contentType.startsWith(type))) {
      throw new Error(`${method} ${path} answered with ${contentType}, which is not documented`);
    }
    if (status < 300 && sent !== undefined && operation.requestBody?.content["application/json"]) {
      this.#validate(
        "request",
        ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json", "schema"],
        // A copy, because lenient checks convert in place. Empty text means null.
        JSON.parse(JSON.stringify(sent), (_, value) => (value === "" ? null : value)),
        this.#lenient,
      );
    }
  }

  /** Finds the documented reply and its pointer. Returns `undefined` if there is none. */
  #promised(path: string, method: string, { responses }: Operation, status: number) {
    const isDefault = !(status in responses) && BY_DEFAULT.includes(status);
    const named = isDefault ? "default" : String(status);
    const shared = responses[named]?.$ref?.split("/").at(-1);
    if (shared === undefined)
      return { promised: responses[named], at: ["paths", path, method.toLowerCase(), "responses", named] };
    return { promised: this.document.components.responses[shared], at: ["components", "responses", shared] };
  }

  #olderError({ method, path, body }: Exchange): void {
    const validate = this.#compiled.get("older") ?? this.#ajv.compile(OLDER_ERROR);
    this.#compiled.set("older", validate);
    if (!validate(body))
      throw new Error(`${method} ${path}: not an error of the older dialect: ${JSON.stringify(body)}`);
  }

  #operation({ method, path }: Exchange): { path: string; operation: Operation } | undefined {
    // Tries the path without its format suffix, too, because the document omits suffixes.
    for (const asked of [path, path.replace(/\.(?:json|xml|jsonp)$/, "")]) {
      for (const { pattern, path: template } of this.#templates) {
        const operation = pattern.test(asked) && this.document.paths[template]?.[method.toLowerCase()];
        if (operation) return { path: template, operation };
      }
    }
    return undefined;
  }

  #validate(what: string, pointer: string[], value: unknown, ajv = this.#ajv): void {
    const fragment = pointer.map((step) => encodeURIComponent(step.replace(/~/g, "~0").replace(/\//g, "~1")));
    const reference = `openapi#/${fragment.join("/")}`;
    const validate = this.#compiled.get(reference) ?? ajv.compile({ $ref: reference });
    this.#compiled.set(reference, validate);
    if (!validate(value)) {
      throw new Error(
        `${pointer.join(" ")}: ${what} does not fit the document: ${ajv.errorsText(validate.errors)}`,
      );
    }
  }
}

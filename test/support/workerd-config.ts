import { basename } from "node:path";
import { builtModules } from "../../workers/local/worker/build.ts";

const MODULE_FIELDS: Record<string, string> = {
  ESModule: "esModule",
  Text: "text",
  Data: "data",
  CompiledWasm: "wasm",
};

export type WorkerdOptions = {
  port: number;
  compatibilityDate: string;
  compatibilityFlags?: string[];
  /** Variables and secrets. */
  texts: Record<string, string>;
  /** Names of queues. Nobody consumes them. */
  queues?: string[];
  /** Port of an HTTP server that is the Cache API. `undefined`: each call of it throws. */
  cachePort?: number | undefined;
};

/** Cap'n Proto text quotes strings like JSON. */
const quoted = (text: string) => JSON.stringify(text);

/** The configuration, in the bundle's directory, of a workerd that runs this bundle alone. */
export function workerdConfig(bundle: string, options: WorkerdOptions): string {
  const { port, compatibilityDate, compatibilityFlags = [], texts, queues = [], cachePort } = options;
  const modules = builtModules(bundle).map(({ type, path }) => {
    const name = basename(String(path));
    return `(name = ${quoted(name)}, ${MODULE_FIELDS[type]} = embed ${quoted(name)})`;
  });
  const bindings = [
    ...Object.entries(texts).map(([name, text]) => `(name = ${quoted(name)}, text = ${quoted(text)})`),
    ...queues.map((name) => `(name = ${quoted(name)}, queue = "nobody")`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "soundpost", worker = .soundpost),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "nobody", worker = (
      serviceWorkerScript = "addEventListener('fetch', (event) => event.respondWith(new Response()))",
      compatibilityDate = ${quoted(compatibilityDate)},
    )),${cachePort === undefined ? "" : `\n    (name = "cache", external = (address = "127.0.0.1:${cachePort}", http = ())),`}
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "soundpost")],
);
const soundpost :Workerd.Worker = (
  modules = [${modules.join(",\n    ")}],
  bindings = [${bindings.join(",\n    ")}],
  compatibilityDate = ${quoted(compatibilityDate)},
  compatibilityFlags = [${compatibilityFlags.map(quoted).join(", ")}],${cachePort === undefined ? "" : '\n  cacheApiOutbound = "cache",'}
);
`;
}

import type { Snippet } from "./code-tabs.ts";
import type { ExampleRequest } from "./request.ts";
import { withNames } from "./sample-ids.ts";

/** The same request in the languages of the reference. The reader's token is in the environment. */
export const snippetsOf = (request: ExampleRequest): Snippet[] =>
  [
    { language: "sh", code: curl(request) },
    { language: "ts", code: typescript(request) },
    { language: "python", code: python(request) },
  ].map(({ language, code }) => ({ language, code: withNames(code) }));

function curl({ method, url, needsToken, json, repliesJson }: ExampleRequest): string {
  const isDefault = method === "GET" || (method === "POST" && json !== undefined);
  return [
    `curl${isDefault ? "" : ` -X ${method}`}${repliesJson ? "" : " -L -o reply"} ${quoted(url)}`,
    ...(needsToken ? [`-H "Authorization: OAuth $TOKEN"`] : []),
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(json))}`]),
  ].join(" \\\n  ");
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function typescript({ method, url, needsToken, json, repliesJson }: ExampleRequest): string {
  const headers = [
    ...(needsToken ? [`Authorization: \`OAuth \${process.env.TOKEN}\``] : []),
    ...(json === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(headers.length ? [`headers: { ${headers.join(", ")} }`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json, TYPESCRIPT, 1)})`]),
  ];
  const init = options.length ? `, {\n${options.map((option) => `  ${option},\n`).join("")}}` : "";
  const body = repliesJson ? "await reply.json()" : "await reply.blob()";
  return `const reply = await fetch(${JSON.stringify(url)}${init});\nconsole.log(reply.status, ${body});`;
}

function python({ method, url, needsToken, json, repliesJson }: ExampleRequest): string {
  const token = `f"OAuth {os.environ['TOKEN']}"`;
  const headers = [
    ...(needsToken && repliesJson ? [`"Authorization": ${token}`] : []),
    ...(json === undefined ? [] : [`"Content-Type": "application/json"`]),
  ];
  const options = [
    JSON.stringify(url),
    ...(method === "GET" ? [] : [`method="${method}"`]),
    ...(headers.length ? [`headers={${headers.join(", ")}}`] : []),
    ...(json === undefined ? [] : [`data=json.dumps(${literal(json, PYTHON, 1)}).encode()`]),
  ];
  const usesJson = repliesJson || json !== undefined;
  const modules = [...(usesJson ? ["json"] : []), ...(needsToken ? ["os"] : []), "urllib.request"];
  return [
    `import ${modules.join(", ")}`,
    "",
    `request = urllib.request.Request(\n${options.map((option) => `    ${option},\n`).join("")})`,
    // A file may redirect to another host, where urllib would send other headers too.
    ...(needsToken && !repliesJson ? [`request.add_unredirected_header("Authorization", ${token})`] : []),
    "with urllib.request.urlopen(request) as reply:",
    `    print(reply.status, ${repliesJson ? "json.load(reply)" : "len(reply.read())"})`,
  ].join("\n");
}

interface Language {
  indent: string;
  key(name: string): string;
  words: Record<string, string>;
}

const TYPESCRIPT: Language = {
  indent: "  ",
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  words: { true: "true", false: "false", null: "null" },
};

const PYTHON: Language = {
  indent: "    ",
  key: (name) => JSON.stringify(name),
  words: { true: "True", false: "False", null: "None" },
};

/** Characters. A shorter value is written on one line. */
const LINE = 60;

function literal(value: unknown, language: Language, depth: number): string {
  if (typeof value !== "object" || value === null)
    return language.words[String(value)] !== undefined && typeof value !== "string"
      ? (language.words[String(value)] ?? "")
      : JSON.stringify(value);
  const isArray = Array.isArray(value);
  const spaced = language === TYPESCRIPT && !isArray ? " " : "";
  const [open, close] = isArray ? ["[", "]"] : ["{", "}"];
  const entries = Object.entries(value).map(
    ([name, inner]) => `${isArray ? "" : `${language.key(name)}: `}${literal(inner, language, depth + 1)}`,
  );
  if (entries.length === 0) return `${open}${close}`;
  const line = `${open}${spaced}${entries.join(", ")}${spaced}${close}`;
  if (line.length <= LINE && !line.includes("\n")) return line;
  const indent = language.indent.repeat(depth);
  const lines = entries.map((entry) => `${indent}${language.indent}${entry},\n`);
  return `${open}\n${lines.join("")}${indent}${close}`;
}

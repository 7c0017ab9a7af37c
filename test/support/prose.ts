interface Comment {
  line: number;
  text: string;
  lines: number;
  isDocstring: boolean;
}

const LINE_COMMENT = { ts: /^\s*\/\/ ?(?!\/)/, sql: /^\s*--(?!>)/ };

/** Lists the comments that stand on lines of their own. Consecutive `//` or `--` lines form one comment. */
export function commentsIn(source: string, language: keyof typeof LINE_COMMENT = "ts"): Comment[] {
  const lineComment = LINE_COMMENT[language];
  const comments: Comment[] = [];
  const lines = source.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const start = at;
    const words: string[] = [];
    const line = lines[at] ?? "";
    if (/^\s*\/\*/.test(line)) {
      while (at < lines.length && !lines[at]?.includes("*/")) words.push(lines[at++] ?? "");
      words.push(lines[at] ?? "");
    } else if (lineComment.test(line)) {
      for (; lineComment.test(lines[at] ?? ""); at++) words.push(lines[at] ?? "");
      at--;
    } else continue;
    const texts = words.map((one) => one.replace(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)?\s*|\s*\*\/.*$/g, ""));
    comments.push({
      line: start + 1,
      text: texts.join(" ").trim(),
      lines: words.length,
      isDocstring: /^\s*\/\*\*/.test(line),
    });
  }
  return comments;
}

const MAX_LINES = 3;
const OPENING = /^(?:Of|What|Who|Whoever|Whose|Whatever|As|For|Behind|Else)\b/;

/** Returns what is wrong with the form of a comment, or `undefined`. */
export function commentFault({ text, lines, isDocstring }: Comment): string | undefined {
  if (OPENING.test(text)) return `begins with "${text.split(" ", 1)}"`;
  if (!isDocstring && lines > MAX_LINES) return `has ${lines} lines`;
  return undefined;
}

const NAMES = "ahead behind done told kept lane lanes wish wished madeHere someone held walked decided";
const FILES =
  "asking changing closed commenting connecting counted discovered happening leasing listed listing meant paused played posting sending waking written";

/** Words that mean something to their author only. Verbs name functions, nouns everything else. */
const PRIVATE_NAMES = new Set(NAMES.split(" "));
const PRIVATE_FILES = new Set([...PRIVATE_NAMES, ...FILES.split(" "), "sweeping", "uploading", "again"]);

const DECLARED = /\b(?:const|let|function\*?|class|interface|type)\s+(\w+|[[{][^=;]*?[\]}](?=\s*[:=]))/g;

const COMMENT_OR_TEXT = /^\s*(?:\/\/|\/?\*).*$|"(?:[^"\\\n]|\\.)*"/gm;

/** Lists the private words among the declared names of a source file. */
export const privateNamesIn = (source: string): string[] =>
  [...source.replace(COMMENT_OR_TEXT, "").matchAll(DECLARED)]
    .flatMap(([, declared = ""]) => declared.match(/\w+(?!\w*\s*:)/g) ?? [])
    .filter((name) => PRIVATE_NAMES.has(name));

/** Lists the private words among the variables and common table expressions of a database function. */
export function privateSqlNamesIn(source: string): string[] {
  const [, declared = ""] = /^DECLARE\n(.*?)^BEGIN$/ms.exec(source) ?? [];
  const tables = source.matchAll(/\b(\w+) AS (?:MATERIALIZED )?\(\s*(?:SELECT|INSERT|UPDATE|DELETE)\b/g);
  return [...declared.matchAll(/^ {2}(\w+) /gm), ...tables]
    .map(([, name = ""]) => name)
    .filter((name) => PRIVATE_NAMES.has(name));
}

/** Whether a private word names the file, apart from its extensions. */
export const hasPrivateFileName = (path: string): boolean =>
  PRIVATE_FILES.has((path.split("/").at(-1) ?? "").replace(/\..*$/, ""));

import { escaped, NAMED, type Snippet } from "./code-tabs.ts";

/** Adds what the button of the reference's samples sends, if the code is one request to the API. */
export function runnable(html: string, [first]: readonly Snippet[], id: string): string {
  const request = first && requestOf(first);
  if (!request) return html;
  const plain = (text: string) => escaped(text.replace(NAMED, "$2"));
  const body = request.body === undefined ? "" : ` data-body="${plain(request.body)}"`;
  const token = request.needsToken ? ' data-needs-token="true"' : "";
  return `<div class="sample" id="${id}" data-method="${request.method}" data-path="${plain(request.path)}"${body}${token}>${html}</div>`;
}

interface GuideRequest {
  method: string;
  path: string;
  /** JSON. */
  body?: string;
  needsToken: boolean;
}

const METHOD = / -X ()(POST|PUT|DELETE)(?= |$)/g;
const ADDRESS = / (["'])\{api_url\}([^"'$]+)\1/g;
const TOKEN = / -H (")Authorization: (OAuth \$TOKEN)\1/g;
const JSON_BODY = / -H 'Content-Type: application\/json' +-d (')(\{[^']+\})\1/g;
const FIELD = / (?:-d|--data-urlencode) (["']?)([^"'$]+?)\1(?= |$)/g;

/** `undefined` if a command does more, such as send or write a file, or needs more than the reader's token. */
function requestOf({ code }: Snippet): GuideRequest | undefined {
  let rest = code.replaceAll(" \\\n ", "");
  const take = (part: RegExp): string[] => {
    const found = Array.from(rest.matchAll(part), ([, , value = ""]) => value);
    rest = rest.replace(part, "");
    return found;
  };
  const [address, ...others] = take(ADDRESS);
  const needsToken = take(TOKEN).length > 0;
  const [body] = take(JSON_BODY);
  const [method = body === undefined ? "GET" : "POST"] = take(METHOD);
  const query = take(FIELD).join("&").replaceAll(" ", "+");
  const isOne = query ? /^curl(?: -[Ls])* -G$/ : /^curl(?: -[Ls])*$/;
  if (address === undefined || others.length || !isOne.test(rest)) return undefined;
  return { method, path: address + (query && `?${query}`), body, needsToken };
}

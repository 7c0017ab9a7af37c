import { escaped, NAMED, type Snippet } from "./code-tabs.ts";

/** Adds what the button of the reference's samples sends, if the code is one GET request to the API. */
export function runnable(html: string, [first]: readonly Snippet[], id: string): string {
  const request = first && requestOf(first);
  if (!request) return html;
  const path = escaped(request.path.replace(NAMED, "$2"));
  const token = request.needsToken ? ' data-needs-token="true"' : "";
  return `<div class="sample" id="${id}" data-method="GET" data-path="${path}"${token}>${html}</div>`;
}

const ADDRESS = / (["'])\{api_url\}([^"'$]+)\1/g;
const TOKEN = / -H (")Authorization: (OAuth \$TOKEN)\1/g;
const FIELD = / (?:-d|--data-urlencode) (["']?)([^"'$]+?)\1(?= |$)/g;

/** `undefined` if a command does more, such as write a file, or needs more than the reader's token. */
function requestOf({ code }: Snippet): { path: string; needsToken: boolean } | undefined {
  let rest = code.replaceAll(" \\\n ", "");
  const take = (part: RegExp): string[] => {
    const found = Array.from(rest.matchAll(part), ([, , value = ""]) => value);
    rest = rest.replace(part, "");
    return found;
  };
  const [address, ...others] = take(ADDRESS);
  const needsToken = take(TOKEN).length > 0;
  const query = take(FIELD).join("&").replaceAll(" ", "+");
  const isGet = query ? /^curl(?: -[Ls])* -G$/ : /^curl(?: -[Ls])*$/;
  if (address === undefined || others.length || !isGet.test(rest)) return undefined;
  return { path: address + (query && `?${query}`), needsToken };
}

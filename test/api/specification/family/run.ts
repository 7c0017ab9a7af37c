import { use } from "../../../lib/http/budgets.support.ts";
import { api, type Options, type Reply } from "../../../support/api.ts";
import type { Person } from "../../../support/people.ts";
import { shortWav } from "../../../support/tracks.ts";
import type { Judge } from "./judge.ts";
import type { Operation } from "./operations.ts";

type Names = Record<string, string>;

const fill = (text: string, names: Names) =>
  text.replace(/\{([\w-]+)\}/g, (_, name) => encodeURIComponent(names[name] ?? ""));

export const audioForm = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("track[asset_data]", shortWav(), "song.wav");
  return form;
};

function bodyOf(names: Names, request: string, { json }: Options = {}): Options {
  if (request === "POST /tracks") return { raw: audioForm({ "track[title]": "Sent" }) };
  if (request === "POST /sign-out") return { json: { access_token: names.token } };
  return json === undefined ? {} : { json };
}

async function ask(request: string, names: Names, options: Options, token?: string) {
  const [method = "", path = ""] = request.split(/ (.*)/);
  const client = token === undefined ? api : api.as({ token });
  const send = { GET: client.get, PUT: client.put, POST: client.post, DELETE: client.delete }[method];
  if (!send) throw new Error(`No method ${method}`);
  return send<unknown>(fill(path, names), options);
}

/** Runs an operation into each of its documented statuses, as far as a request can, and judges the replies. */
export async function runOperation(
  judge: Judge,
  ana: Person,
  names: Names,
  operation: Operation,
): Promise<void> {
  const { request, replies, sent } = operation;
  const name = request.split("?")[0] ?? "";
  const pending = new Map(Object.entries(replies).map(([status, schema]) => [Number(status), schema]));
  const take = ({ status, body }: Reply<unknown>) => {
    const schema = pending.get(status);
    if (schema === undefined) return;
    pending.delete(status);
    if (schema !== "-") judge.judge(name, schema, body);
  };
  const usual = bodyOf(names, request, sent);
  const succeeding = [...pending.keys()].filter((status) => status < 400).length;
  for (let times = 0; times < succeeding; times++) take(await ask(request, names, usual, ana.token));
  const unknown = Object.fromEntries(
    Object.entries(names).map(([key, value]) => [
      key,
      key === "page" ? `${value}-not` : value.replace(/\d+$/, "1"),
    ]),
  );
  const broken = request.includes("?") ? `${request}&cursor=broken` : `${request}?cursor=broken`;
  const empty = request === "POST /tracks" ? { raw: audioForm({}) } : { json: { comment: {} } };
  const malformed = { raw: "{", headers: { "Content-Type": "application/json" } };
  const attempts: Record<number, (() => Promise<Reply<unknown>>)[]> = {
    400: [
      () => ask(broken, names, usual, ana.token),
      ...(request.startsWith("GET") ? [] : [() => ask(request, names, malformed, ana.token)]),
    ],
    401: [() => ask(request, names, usual)],
    404: [() => ask(request, unknown, usual, ana.token)],
    422: [
      () => ask(request, { ...names, label: names.ana ?? "" }, usual, ana.token),
      ...(request.startsWith("GET") ? [] : [() => ask(request, names, empty, ana.token)]),
    ],
    429: [
      async () => {
        await ask(request.replace("POST /likes", "DELETE /likes"), names, usual, ana.token);
        for (const budget of ["likes", "comments"]) await use(ana, budget, 100_000);
        const reply = await ask(request, names, usual, ana.token);
        for (const budget of ["likes", "comments"]) await use(ana, budget, 0);
        return reply;
      },
    ],
  };
  for (const status of pending.keys())
    for (const attempt of attempts[status] ?? []) if (pending.has(status)) take(await attempt());
  for (const status of pending.keys()) judge.differences.add(`${name} is never answered ${status}`);
}

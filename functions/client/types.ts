import type { Events, Paths, Schemas } from "./api-types.ts";

export type { Schemas };

export type Method = "get" | "post" | "put" | "delete";

/** Paths that have the method. */
export type PathOf<M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof Paths];

type OperationOf<M extends Method, Path extends keyof Paths> =
  Paths[Path] extends Record<M, infer Operation> ? Operation : never;

export interface Options {
  /** Added to the client's own, such as `If-Match`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** `path`, `query` and `body` of an operation. Lists are arrays; `pages` and `each` set the paging themselves. */
export type Input<M extends Method, Path extends keyof Paths> = Options & Omit<OperationOf<M, Path>, "reply">;

/** The input is optional if all its fields are. */
export type InputArguments<M extends Method, Path extends keyof Paths> =
  Record<never, never> extends Input<M, Path> ? [input?: Input<M, Path>] : [input: Input<M, Path>];

type ReplyOf<Operation> = Operation extends { reply: infer Body } ? Body : never;

type BodiesOf<M extends Method, Path extends keyof Paths> = ReplyOf<OperationOf<M, Path>>;

/** The body of a successful reply. */
export type Reply<M extends Method, Path extends keyof Paths> = [
  Extract<BodiesOf<M, Path>, readonly unknown[]>,
] extends [never]
  ? BodiesOf<M, Path>
  : Extract<BodiesOf<M, Path>, readonly unknown[]>;

export type Page<Item> = { collection: Item[]; next_href?: string | null };

/** Paths of lists, which come in pages. */
export type ListPath = {
  [Path in PathOf<"get">]: [ItemOf<Path>] extends [never] ? never : Path;
}[PathOf<"get">];

type CollectionOf<Body> = Body extends { collection: (infer Item)[] } ? Item : never;
export type ItemOf<Path extends keyof Paths> = CollectionOf<BodiesOf<"get", Path>>;

/** An event as webhooks receive it, told apart by `type`. */
export type WebhookEvent = Events[keyof Events];

/** Only in streams: events are missing here. Read anew what you keep. */
export interface StreamReset {
  type: "reset";
  timestamp: string;
  data: Record<string, never>;
}

/** An event of a stream, told apart by `type`. */
export type StreamEvent = WebhookEvent | StreamReset;

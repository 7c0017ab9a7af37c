import type { components, paths, webhooks } from "./api-types.ts";

/** The API's resources, such as `Schemas["Track"]`. */
export type Schemas = components["schemas"];

export type Method = "get" | "post" | "put" | "delete";

/** Paths that take the method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof paths];

type OperationOf<M extends Method, Path extends keyof paths> =
  paths[Path] extends Record<M, infer Operation> ? Operation : never;

type ParametersOf<Operation> = Operation extends { parameters: infer Parameters } ? Parameters : object;
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] | FormData }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] | FormData }
    : object;

export interface Options {
  /** Sent besides the client's own, such as `If-Match`. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Lists come as arrays. `pages` and `each` ask for pages. */
type AskedOf<Parameters> = Parameters extends { query: infer Query }
  ? Omit<Parameters, "header" | "query"> & { query: Omit<Query, "linked_partitioning"> }
  : Parameters extends { query?: infer Query }
    ? Omit<Parameters, "header" | "query"> & { query?: Omit<Query & object, "linked_partitioning"> }
    : Omit<Parameters, "header">;

/** `path`, `query` and `body` of an operation. */
export type Input<M extends Method, Path extends keyof paths> = Options &
  AskedOf<ParametersOf<OperationOf<M, Path>>> &
  BodyOf<OperationOf<M, Path>>;

/** The input may be left out where all of it is optional. */
export type InputArguments<M extends Method, Path extends keyof paths> =
  Record<never, never> extends Input<M, Path> ? [input?: Input<M, Path>] : [input: Input<M, Path>];

type JsonOf<Reply> = Reply extends { content: { "application/json": infer Body } } ? Body : undefined;
type RepliesOf<Operation> = Operation extends { responses: infer Replies } ? Replies[keyof Replies] : never;

type BodiesOf<M extends Method, Path extends keyof paths> = JsonOf<RepliesOf<OperationOf<M, Path>>>;

/** The body of a successful reply. */
export type Reply<M extends Method, Path extends keyof paths> = [
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
export type ItemOf<Path extends keyof paths> = CollectionOf<BodiesOf<"get", Path>>;

type DeliveryOf<Event> = Event extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** An event as webhooks get it. `type` tells which. */
export type WebhookEvent = DeliveryOf<webhooks[keyof webhooks]>;

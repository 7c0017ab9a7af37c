import type { Context } from "hono";
import { unavailable } from "../errors.ts";

const MIB = 2 ** 20;

/** Mebibytes: two classic uploads. The platform gives an isolate 128. */
const USUAL_MOST_MIB = 72;

/** Bytes of forms buffered in this isolate. */
let formBytes = 0;

export const formBytesNow = (): number => formBytes;

declare module "hono" {
  interface ContextVariableMap {
    formMemory: FormMemory | undefined;
  }
}

/** Memory of one request's form. All forms of an isolate share a limit. */
class FormMemory {
  readonly #mostBytes: number;
  #bytes = 0;
  /** Resolves when the memory is released. */
  readonly released: Promise<void>;
  release: () => void = () => {};

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.released = new Promise((resolve) => {
      this.release = () => {
        formBytes -= this.#bytes;
        this.#bytes = 0;
        resolve();
      };
    });
  }

  /** Counts bytes before they are buffered. Throws 503 over the limit. */
  hold(bytes: number): void {
    if (formBytes + bytes > this.#mostBytes)
      unavailable("Too many files are being sent in forms at this moment; nothing was saved. Try again.");
    formBytes += bytes;
    this.#bytes += bytes;
  }
}

/** Returns the request's form memory, released when the request ends. */
export function formMemory(c: Context): FormMemory {
  const known = c.get("formMemory");
  if (known) return known;
  const memory = new FormMemory(Number(c.env?.FORM_MEMORY_MIB ?? USUAL_MOST_MIB) * MIB);
  c.set("formMemory", memory);
  // The platform aborts the request of a client that hung up, unless a promise is pending.
  c.executionCtx.waitUntil(memory.released);
  return memory;
}

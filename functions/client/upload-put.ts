import type { Fetch } from "./send.ts";

export interface Put {
  url: string;
  blob: Blob;
  signal: AbortSignal;
  /** Called with the bytes sent so far. */
  onBytes: (sent: number) => void;
}

/** The used part of `XMLHttpRequest`, which other platforms' types lack. */
interface UploadRequest extends EventTarget {
  upload: EventTarget;
  status: number;
  open(method: string, url: string): void;
  send(body: Blob): void;
  abort(): void;
  getResponseHeader(name: string): string | null;
}

const { XMLHttpRequest: BrowserRequest } = globalThis as { XMLHttpRequest?: new () => UploadRequest };

/** Sends bytes. Browsers report progress; elsewhere a part counts once it has arrived. */
export const putBlob = (fetch: Fetch, put: Put): Promise<Response> =>
  BrowserRequest
    ? putWithProgress(new BrowserRequest(), put)
    : fetch(put.url, { method: "PUT", body: put.blob, signal: put.signal });

function putWithProgress(request: UploadRequest, { url, blob, signal, onBytes }: Put): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => request.abort();
    const header = (name: string): [string, string][] => {
      const value = request.getResponseHeader(name);
      return value === null ? [] : [[name, value]];
    };
    request.upload.addEventListener("progress", (event) => onBytes(Math.min(loadedOf(event), blob.size)));
    request.addEventListener("load", () => {
      const headers = [...header("ETag"), ...header("Retry-After")];
      resolve(new Response(null, { status: request.status === 204 ? 200 : request.status, headers }));
    });
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("error", () => reject(new TypeError("The connection failed")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    signal.addEventListener("abort", abort);
    request.open("PUT", url);
    request.send(blob);
  });
}

const loadedOf = (event: Event): number => (event as Event & { loaded: number }).loaded;

import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { drain } from "./body.ts";
import { answerXml } from "./operation.ts";

/** Applies to the next `times` requests whose "METHOD /path?query" contains `match`. */
interface Fault {
  readonly match: string;
  readonly status: number | "hang" | "reset";
  times: number;
}

/** Injects storage failures, for tests only. */
export function createFaults() {
  const faults: Fault[] = [];

  /** Returns `true` if it answered the request. */
  return async (message: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const line = `${message.method} ${message.url}`;
    if (line === "POST /__faults") {
      faults.push((await json(message)) as Fault);
      response.writeHead(204).end();
      return true;
    }
    const fault = faults.find(({ match, times }) => times > 0 && line.includes(match));
    if (!fault) return false;
    fault.times -= 1;
    if (fault.status === "reset") message.socket.resetAndDestroy();
    if (typeof fault.status === "string") return true;
    await drain(message);
    answerXml(response, fault.status, "Error", { Code: "InjectedFault", Message: "A test asked for this" });
    return true;
  };
}

export type Faults = ReturnType<typeof createFaults>;

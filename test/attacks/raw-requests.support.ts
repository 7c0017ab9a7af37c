import { connect } from "node:net";
import { stack } from "../support/stack.ts";

export const JSON_TYPE = { "Content-Type": "application/json" };

export const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };

/** Sends raw bytes that no HTTP client would send. Resolves with the whole reply when the server closes. */
export const speak = (text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(stack.ports.front, "127.0.0.1", () => socket.write(text, "latin1"));
    let heard = "";
    socket.setTimeout(30_000, () => socket.destroy(new Error(`No reply to ${JSON.stringify(text)}`)));
    socket
      .on("data", (chunk) => (heard += chunk))
      .on("close", () => resolve(heard))
      .on("error", reject);
  });

export const statusLine = async (text: string) => (await speak(text)).split("\r\n")[0];

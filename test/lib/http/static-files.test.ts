import { expect, test } from "vitest";
import { stack } from "../../support/stack.ts";

test("a stylesheet is the same in every coding, and Brotli comes once it is compressed", async () => {
  const page = await (await fetch(`${stack.urls.api}/docs`)).text();
  const [path] = /\/static\/[^"]+\.css/.exec(page) ?? [];
  const ask = async (coding: string) => {
    const reply = await fetch(`${stack.urls.api}${path}`, { headers: { "Accept-Encoding": coding } });
    const { headers } = reply;
    return [headers.get("Content-Encoding"), headers.get("Vary"), await reply.text()];
  };
  const [, , text] = await ask("identity");
  expect(text).toContain("{");
  expect(await ask("gzip, br;q=0")).toEqual(["gzip", "Accept-Encoding", text]);
  await expect.poll(() => ask("gzip, br")).toEqual(["br", "Accept-Encoding", text]);
});

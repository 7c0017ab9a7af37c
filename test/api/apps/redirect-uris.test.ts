import { expect, test } from "vitest";
import type { ErrorReply } from "../../support/api.ts";
import { CALLBACK, developer, register } from "./apps.support.ts";

test.each([
  "javascript:alert(1)",
  "JaVaScript:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,x",
  "blob:https://x/y",
  "vbscript:x",
  "file:///etc/passwd",
  "https://client;sandbox.example/cb",
  "https://client,x.example/cb",
  "myapp://call;back/",
  "https://client.example/cb#x",
  "/cb",
  "cb",
  "//evil.example/cb",
  "https://client.example/\u0000",
  "https://client.example/a b",
  "https://client.example/\r\nX: y",
  "https:/\\evil.example",
  "http://client.example/cb",
  "https://user:pw@client.example/",
  "https://*.example/cb",
  "https://ünï.example/cb",
  "",
  `https://client.example/${"x".repeat(2000)}`,
  "about:blank",
  "intent://x",
  "ws://client.example/",
  "mailto:a@b.example",
  "search-ms:query=x",
  "ms-msdt:/id",
  "steam://run/1",
  "vscode://x/y",
  "x-apple.systempreferences:a",
  "microsoft.windows.camera:",
  "tel:1",
  "ZoomMtg://x",
  "chrome-extension://x/y",
  "web+ap:x",
  "1com.example:/cb",
  "http://127.0.0.1:65536/cb",
  "https://client.example:99999/cb",
  "https:client.example/cb",
  "https:/client.example/cb",
  "https:///client.example/cb",
])("the redirect URI %j cannot be registered (O11, X96)", async (uri) => {
  const { status, body } = await register(await developer(), { redirect_uris: [CALLBACK, uri] });
  expect(status).toBe(422);
  expect((body as unknown as ErrorReply).errors[0]?.error_message).toMatch(/^redirect_uris\[1\]: /);
});

test.each([
  ["com.example.app:/cb"],
  ["com.example.app://callback"],
  ["COM.Example.my-app2:/cb"],
  ["myapp://callback"],
  ["my-app2+x:/cb"],
  ["http://127.0.0.1:65535/cb"],
  ["http://127.0.0.1/cb"],
  ["http://[::1]:8000/cb"],
  ["http://localhost:3000/cb"],
  ["https://client.example:8443/cb?x=1"],
])("the redirect URI %s can be registered (O8, O9)", async (uri) => {
  const { status, body } = await register(await developer(), { redirect_uris: [uri, uri] });
  expect([status, body.redirect_uris]).toEqual([201, [uri]]);
});

test("an app has one to twenty redirect URIs", async () => {
  const ana = await developer();
  const uris = (count: number) => Array.from({ length: count }, (_, n) => `https://client.example/${n}`);
  expect((await register(ana, { redirect_uris: uris(20) })).status).toBe(201);
  expect((await register(ana, { redirect_uris: uris(21) })).status).toBe(422);
  expect((await register(ana, { redirect_uris: [] })).status).toBe(422);
  expect((await register(ana, { redirect_uris: CALLBACK })).status).toBe(422);
  expect((await register(ana, { redirect_uris: undefined })).status).toBe(400);
});

import { Hono } from "hono";
import { expect, test } from "vitest";
import type { AppEnv, Env } from "../../functions/http/env.ts";
import { secure, securedJson } from "../../functions/http/security-headers.ts";

const app = new Hono<AppEnv>()
  .use(async (c, next) => {
    await next();
    secure(c, c.res.headers);
  })
  .get("/set", (c) => c.json({}))
  .get("/made", (c) => securedJson(c, "{}"))
  .get("/replaced", (c) => {
    securedJson(c, "{}");
    return c.json({}, 500);
  })
  .get("/page", (c) => c.json({}, 200, { "Content-Security-Policy": "default-src 'self'" }));

async function said(path: string, API_URL: string) {
  const reply = await app.request(path, {}, { API_URL } as Env);
  return Object.fromEntries(reply.headers);
}

const ALWAYS = {
  "content-type": "application/json; charset=utf-8",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
  vary: "Accept, Authorization, Origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

test.each(["/set", "/made", "/replaced"])("%s says all, and over https to stay there", async (path) => {
  expect(await said(path, "http://localhost")).toEqual(ALWAYS);
  const stay = "max-age=31536000; includeSubDomains";
  expect(await said(path, "https://api.example.com")).toEqual({
    ...ALWAYS,
    "strict-transport-security": stay,
  });
});

test("a page keeps the policy that it has", async () => {
  const policy = { "content-security-policy": "default-src 'self'" };
  expect(await said("/page", "http://localhost")).toEqual({ ...ALWAYS, ...policy });
});

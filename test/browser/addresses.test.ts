import sharp from "sharp";
import { expect, test } from "vitest";
import { stack } from "../support/stack.ts";

const at = (path: string, headers: Record<string, string> = {}) => fetch(stack.urls.api + path, { headers });

const SIZES = {
  t500x500: 500,
  crop: 400,
  t300x300: 300,
  large: 100,
  badge: 47,
  small: 32,
  tiny: 18,
  mini: 16,
};

test.for(Object.entries(SIZES))(
  "the default avatar in the format %s is %i pixels a side",
  async ([format, side]) => {
    const reply = await at(`/images/avatar-default-${format}.jpg`);
    expect(reply.headers.get("Content-Type")).toBe("image/jpeg");
    const { width, height, format: kind } = await sharp(await reply.arrayBuffer()).metadata();
    expect({ width, height, kind }).toEqual({ width: side, height: side, kind: "jpeg" });
  },
);

test("404: an avatar in a format that avatars do not have", async () => {
  expect((await at("/images/avatar-default-t67x67.jpg")).status).toBe(404);
  expect((await at("/images/avatar-default-constructor.jpg")).status).toBe(404);
});

test("scripts and styles are cached for ever under their version only", async () => {
  const home = await (await at("/")).text();
  const style = /href="[^"]*(\/static\/[^"]+\.css)"/.exec(home)?.[1] ?? "";
  const current = await at(style);
  expect(current.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  const other = await fetch(stack.urls.api + style.replace(/static\/[^/]+/, "static/older"), {
    redirect: "manual",
  });
  const { status, headers } = other;
  expect([status, headers.get("Location"), headers.get("Cache-Control")]).toEqual([302, style, "no-store"]);
  expect((await at("/static/older/secrets.json")).status).toBe(404);
});

test("a page runs only our own files and is never framed", async () => {
  const policy = (await at("/")).headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

test.for([
  ["/nobody/nothing", "text/html,*/*;q=0.8", "text/html"],
  ["/nobody", "text/html,*/*;q=0.8", "text/html"],
  ["/nobody/nothing", "*/*", "application/json"],
  ["/nobody/nothing", "application/json", "application/json"],
  ["/nobody/nothing", "application/json, text/html;q=0.5", "application/json"],
  ["/tracks/1/nothing/at/all", "text/html", "application/json"],
  ["/me/nothing", "text/html", "application/json"],
])("404: %s, requested as %s, is not found as %s", async ([path = "", accept = "", type]) => {
  const reply = await at(path, { Accept: accept });
  expect(reply.status).toBe(404);
  expect(reply.headers.get("Content-Type")?.split(";")[0]).toBe(type);
});

test("405: a write to a read-only path; unknown API paths stay 404", async () => {
  const write = (path: string) => fetch(stack.urls.api + path, { method: "POST" });
  expect((await write("/nobody")).status).toBe(405);
  expect((await write("/me/nothing")).status).toBe(404);
});

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSync } from "esbuild";
import { afterAll, beforeAll } from "vitest";

/** A site on another origin, which embeds players. Its page is the markup after the question mark. */
export function openBlog() {
  const blog = createServer(({ url = "" }, reply) => {
    const markup = decodeURIComponent(url.slice(url.indexOf("?") + 1));
    reply.setHeader("Content-Type", "text/html; charset=utf-8");
    reply.end(`<!doctype html><title>A blog</title><link rel="icon" href="data:,"><h1>A blog</h1>${markup}`);
  });
  beforeAll(() => new Promise<void>((ready) => blog.listen(0, "127.0.0.1", ready)));
  afterAll(() => void blog.close());
  return (markup: string) =>
    `http://127.0.0.1:${(blog.address() as AddressInfo).port}/?${encodeURIComponent(markup)}`;
}

/** A script of the blog, with the packages that it imports. */
export function bundled(contents: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: import.meta.dirname, loader: "jsx" },
    bundle: true,
    write: false,
    define: { global: "window", "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

/** The player's frame, as pages write it. */
export const frameOf = (src: string, id = "player") =>
  `<iframe id="${id}" width="700" height="300" allow="autoplay" src="${src.replaceAll("&", "&amp;")}"></iframe>`;

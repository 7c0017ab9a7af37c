/** https://www.sitemaps.org/protocol.html. `entries` are XML. */
export const sitemap = (root: "sitemapindex" | "urlset", entries: string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join("\n")}\n</${root}>\n`;

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

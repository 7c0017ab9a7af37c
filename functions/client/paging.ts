import type { Values } from "./address.ts";

/** Requests a list's pages one after another, using the query of `next_href`. */
export async function* readPages<Page extends { next_href?: string | null }>(
  read: (query: Values) => Promise<Page>,
): AsyncGenerator<Page, void> {
  let query: Values = { linked_partitioning: true };
  for (;;) {
    const page = await read(query);
    yield page;
    if (!page.next_href) return;
    // Follows only the query, so that a reply cannot send the token to another host.
    query = Object.fromEntries(new URL(page.next_href).searchParams);
  }
}

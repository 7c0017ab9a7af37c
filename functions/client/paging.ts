import type { Values } from "./address.ts";

/** Asks for a list's pages one after another, by the query that `next_href` holds. */
export async function* readPages<Page extends { next_href?: string | null }>(
  read: (query: Values) => Promise<Page>,
): AsyncGenerator<Page, void> {
  let query: Values = { linked_partitioning: true };
  for (;;) {
    const page = await read(query);
    yield page;
    if (!page.next_href) return;
    // Only its query is followed: a token goes to no address that a reply names.
    query = Object.fromEntries(new URL(page.next_href).searchParams);
  }
}

/** Fetches a page of ours. Rejects without one. */
export async function pageAt(address: string): Promise<Document> {
  const reply = await fetch(address, { headers: { Accept: "text/html" } });
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return new DOMParser().parseFromString(await reply.text(), "text/html");
}

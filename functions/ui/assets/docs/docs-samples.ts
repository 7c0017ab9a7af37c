import { find, findAll } from "../elements.ts";
import { currentToken, forgetToken, keepsToken, tokenAddress } from "./docs-token.ts";

/** Fills the reader's own ids into the samples of a page. */

const place = document.querySelector<HTMLElement>(".docs-own");
if (place) {
  const token = currentToken();
  if (token) fillIn(place, token);
  else offer(place);
}

function offer(beside: HTMLElement): void {
  const link = find(beside, "a", HTMLAnchorElement);
  if (keepsToken()) link.href = tokenAddress("main");
}

async function fillIn(beside: HTMLElement, token: string): Promise<void> {
  const reply = await fetch("/docs/samples.json", { headers: { Authorization: `Bearer ${token}` } }).catch(
    () => undefined,
  );
  if (reply?.status === 401) {
    forgetToken();
    return offer(beside);
  }
  if (!reply?.ok) return;
  const own: Record<string, unknown> = await reply.json();
  for (const name of findAll(document, "var[data-sample]", HTMLElement)) {
    const id = own[name.dataset.sample ?? ""] ?? undefined;
    if (id === undefined) continue;
    name.textContent = String(id);
    name.classList.add("own");
  }
  for (const needed of findAll(document, "[data-needs]", HTMLElement))
    needed.hidden = (own[needed.dataset.needs ?? ""] ?? undefined) !== undefined;
  beside.textContent =
    "The samples show your ids. Run sends them with a token of yours, which ends in an hour.";
}

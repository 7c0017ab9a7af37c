import { closest, findAll } from "../elements.ts";

/** A reader who chose a language sees it in every example, on each page. */

const KEY = "docs-language";

function choose(language: string): void {
  for (const input of findAll(document, `.tabbed > input[value="${language}"]`, HTMLInputElement))
    input.checked = true;
}

try {
  const language = localStorage.getItem(KEY);
  if (language && /^\w+$/.test(language)) choose(language);
} catch {
  // Storage may be closed to pages; the choice then lasts as long as the page.
}

document.addEventListener("change", ({ target }) => {
  const input = closest(target, ".tabbed > input", HTMLInputElement);
  if (!input) return;
  const before = input.getBoundingClientRect().top;
  choose(input.value);
  // Examples above may have become longer.
  scrollBy(0, input.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(KEY, input.value);
  } catch {
    // The choice then lasts as long as the page.
  }
});

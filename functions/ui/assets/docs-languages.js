/** A reader who chose a language sees it in every example, on each page. */

const KEY = "docs-language";

function choose(language) {
  for (const input of document.querySelectorAll(`.tabbed > input[value="${language}"]`)) input.checked = true;
}

try {
  const language = localStorage.getItem(KEY);
  if (/^\w+$/.test(language ?? "")) choose(language);
} catch {
  // Storage may be closed to pages; the choice then lasts as long as the page.
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabbed > input")) return;
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  // Examples above may have become longer.
  scrollBy(0, target.getBoundingClientRect().top - before);
  try {
    localStorage.setItem(KEY, target.value);
  } catch {
    // The choice then lasts as long as the page.
  }
});

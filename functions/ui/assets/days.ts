/** Shows days as they are in the browser's time zone. The service knows UTC alone. */
const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

/** “today” and “yesterday” for `near` days. */
function nearDay(day: string): string | undefined {
  const now = new Date();
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return day === format.format(now) ? "today" : day === format.format(yesterday) ? "yesterday" : undefined;
}

function showDays(place: ParentNode): void {
  for (const time of place.querySelectorAll("time")) {
    if (time.dataset.day === undefined) continue;
    const date = format.format(new Date(time.dateTime));
    const day = (time.dataset.day === "near" && nearDay(date)) || date;
    if (time.textContent !== day) time.textContent = day;
  }
}

// Before anything is painted, also what is swapped in later.
new MutationObserver((changes) => {
  for (const { target } of changes) if (target instanceof Element) showDays(target);
}).observe(document, { childList: true, subtree: true });
// A page that is shown anew changes texts, not elements.
document.addEventListener("turbo:render", () => showDays(document));
showDays(document);

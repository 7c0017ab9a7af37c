import * as Turbo from "@hotwired/turbo";
import "./composers.ts";
import "./days.ts";
import { closest, find, findIfAny } from "./elements.ts";
import "./menu.ts";
import "./news.ts";
import "./offline.ts";
import "./own-reader.ts";
import "./share.ts";
import "./player/site-player.ts";
import "./theme.ts";
import "./unsent-words.ts";
import "./visitor-act.ts";
import "./waiting.ts";

/** Loaded by every page of the site. Links and forms swap the page's body, so the player plays on. */

// Its progress bar brings an inline style, which the policy forbids. The site shows its own.
Turbo.config.drive.progressBarDelay = 2 ** 30;

/**
 * Places for the focus when the page of the form that was sent last is back, the best first: the one that the
 * form names, its button, and if its row is gone, the rows beside that and their section.
 */
let places: string[] = [];
/** Said once that page is back. */
let said: string | undefined;
document.addEventListener("turbo:submit-start", ({ detail }) => {
  const { formElement: form, submitter = form } = detail.formSubmission;
  const { act, then } = form.dataset;
  said = form.dataset.said;
  const row = submitter.closest("li[id]");
  const around = [row?.nextElementSibling, row?.previousElementSibling, form.closest("section[id]")];
  const selectors = [
    then,
    act && `form[data-act="${act}"] button`,
    ...around.map((one) => one?.id && `#${one.id}`),
  ];
  places = selectors.flatMap((selector) => selector || []);
});
document.addEventListener("turbo:submit-end", ({ detail }) => {
  if (detail.success) return;
  places = [];
  said = undefined;
});
for (const event of ["turbo:load", "turbo:frame-load"])
  document.addEventListener(event, () => {
    const place = places.flatMap((selector) => findIfAny(document, selector, HTMLElement) ?? [])[0];
    place?.focus({ preventScroll: place.matches("button") });
    places = [];
  });

/**
 * A form that leads back to its page shows it anew. Turbo compares addresses with their fragment, which no reply
 * has: a page at `#comments` would be left for a new one, without what was typed, and scrolled to its top.
 */
document.addEventListener("turbo:before-fetch-response", ({ target, detail }) => {
  const { redirected, location: to } = detail.fetchResponse;
  if (!(target instanceof HTMLFormElement) || !redirected || to.origin !== location.origin) return;
  if (to.pathname + to.search === location.pathname + location.search) target.dataset.turboAction = "replace";
});

/** Suggestions come with the first look at the search field. Without them the field searches as ever. */
document.addEventListener("focusin", ({ target }) => {
  if (closest(target, "search-suggestions", HTMLElement)) import("./search-suggestions.ts").catch(() => {});
});

/** A form that reaches nobody leaves the page as it was, so the page says so until the next try or page. */
const UNSENT = "The service could not be reached. Check your connection and try again.";
const sayUnsent = (text: string) => {
  find(document, ".unsent", HTMLElement).textContent = text;
};
for (const event of ["turbo:submit-start", "turbo:visit"])
  document.addEventListener(event, () => sayUnsent(""));
document.addEventListener("turbo:submit-end", ({ detail }) => {
  if (detail.error) sayUnsent(UNSENT);
});

/**
 * So does a link: the browser's page of an error would end the music. A page that leads to the sign-in on another host
 * cannot be swapped in either, but loads as a whole.
 */
document.addEventListener("turbo:fetch-request-error", async (event) => {
  const visit = Turbo.navigator.currentVisit;
  if (!visit || visit.request !== event.detail.request || visit.action === "restore") return;
  event.preventDefault();
  const { href } = visit.location;
  const isThere = await fetch(href, { redirect: "manual" }).then(Boolean, () => false);
  if (visit !== Turbo.navigator.currentVisit) return;
  if (isThere) return location.assign(href);
  sayUnsent(UNSENT);
  // Not to the page that did not come: its address is not shown, and the focus stays.
  visit.fail();
});

/** The page of an error replaces the whole body, and Turbo keeps nothing then: the player's bar would go while its music plays. */
document.addEventListener("turbo:before-render", ({ detail }) => {
  const { render } = detail;
  detail.render = (body, next) => {
    for (const permanent of body.querySelectorAll("[id][data-turbo-permanent]"))
      next.querySelector(`#${permanent.id}[data-turbo-permanent]`)?.replaceWith(permanent);
    return render(body, next);
  };
});

/** Screen readers say the title and the notice of a page that was loaded, but not of one that was swapped in. */
document.addEventListener("turbo:render", () => {
  const status = document.querySelector("#page-said");
  const notices = document.querySelectorAll(".offline-line, main :is(.done, .notice)[role=status]");
  const sent = said === undefined ? [] : [said];
  said = undefined;
  const text = [...sent, document.title, ...Array.from(notices, (notice) => notice.textContent.trim())].join(
    ". ",
  );
  // The same notice may come again: what is saved twice is said twice.
  if (status && (sent.length || notices.length || status.textContent !== text)) status.textContent = text;
});

const root = document.documentElement;
for (const event of ["turbo:visit", "turbo:submit-start"])
  document.addEventListener(event, () => root.classList.add("visiting"));
for (const event of ["turbo:load", "turbo:submit-end"])
  document.addEventListener(event, () => root.classList.remove("visiting"));

import { clock } from "../clock.ts";
import { closest } from "../elements.ts";
import { entryOf, type PicturedComment, pictureOf, SIZE } from "./moment-entry.ts";
import { placeOwnMoment } from "./own-moment.ts";

/** Shows who commented at which moment of a track, as a row of avatars on its waveform. */

/** Comments that share an avatar: their own would overlap. */
interface Group {
  /** CSS pixels from the beginning of the waveform. */
  x: number;
  comments: PicturedComment[];
}

export interface Moments {
  /** Places the avatars on a waveform that is `lengthS` long. */
  place(lengthS: number): void;
}

/** Least distances between the centres of two avatars, in CSS pixels. A finger needs 44. */
const APART = SIZE + 4;
const APART_TO_TOUCH = 44;

/** The first comment of a group has its place and its picture; those behind it join as long as theirs would overlap. */
export function grouped(comments: PicturedComment[], lengthS: number, width: number, apart: number): Group[] {
  const groups: Group[] = [];
  for (const comment of comments) {
    const share = comment.at / lengthS / 1000;
    if (!(share <= 1)) continue;
    const x = Math.min(Math.max(share * width, SIZE / 2), width - SIZE / 2);
    const last = groups.at(-1);
    if (last && x - last.x < apart) last.comments.push(comment);
    else groups.push({ x, comments: [comment] });
  }
  return groups;
}

/** The avatars lie in `root`, and the comments of one open in `spot`. `pictures` has the authors' avatars. */
export function openMoments(
  root: HTMLElement,
  spot: HTMLElement,
  pictures: HTMLTemplateElement,
  comments: PicturedComment[],
  signal: AbortSignal,
): Moments {
  const row = document.createElement("div");
  row.className = "moments-row";
  row.role = "toolbar";
  row.ariaLabel = "Comments on the waveform";
  const card = document.createElement("div");
  card.className = "moment-card";
  card.id = "moment-card";
  card.role = "dialog";
  card.tabIndex = -1;
  card.hidden = true;
  if (comments.length > 0) {
    root.replaceChildren(row);
    spot.replaceChildren(card);
  }

  const touch = matchMedia("(pointer: coarse)");
  let lengthS = 0;
  let groups: Group[] = [];
  let places = "";
  /** The avatar whose card is open. */
  let open: HTMLElement | undefined;

  const isElsewhere = (target: EventTarget | null) =>
    target instanceof Node && !root.contains(target) && !spot.contains(target);
  const buttons = () => [...row.children].filter((one) => one instanceof HTMLElement);

  function place(): void {
    placeOwnMoment(root, lengthS);
    const width = root.clientWidth;
    if (!width || !lengthS) return;
    groups = grouped(comments, lengthS, width, touch.matches ? APART_TO_TOUCH : APART);
    // A row that stands as it would is left alone, with its focus.
    const now = JSON.stringify(groups.map(({ x, comments: { length } }) => [x, length]));
    if (now === places) return;
    places = now;
    close();
    row.hidden = groups.length === 0;
    row.replaceChildren(...groups.map((group, index) => avatarOf(group, index, pictures)));
  }

  function close(returnsFocus = false): void {
    if (!open) return;
    card.hidden = true;
    open.ariaExpanded = "false";
    if (returnsFocus) open.focus({ preventScroll: true });
    open = undefined;
  }

  function show(button: HTMLElement): void {
    const group = groups[buttons().indexOf(button)];
    if (!group) return;
    close();
    open = button;
    button.ariaExpanded = "true";
    card.ariaLabel = button.ariaLabel;
    card.replaceChildren(...group.comments.map((comment) => entryOf(comment, pictures)));
    card.hidden = false;
    const most = spot.clientWidth - card.offsetWidth;
    const left = root.getBoundingClientRect().left - spot.getBoundingClientRect().left + group.x - SIZE;
    card.style.left = `${Math.max(0, Math.min(left, most))}px`;
    card.scrollTop = 0;
    card.focus({ preventScroll: true });
  }

  /** The row is one stop of the tabulator; arrows move within it. */
  function moveTo(button: HTMLElement | undefined): void {
    if (!button) return;
    for (const one of buttons()) one.tabIndex = one === button ? 0 : -1;
    button.focus({ preventScroll: true });
  }

  row.addEventListener("click", ({ target }) => {
    const button = closest(target, "button", HTMLElement);
    if (!button) return;
    for (const one of buttons()) one.tabIndex = one === button ? 0 : -1;
    if (button === open) close(true);
    else show(button);
  });
  row.addEventListener("keydown", (event) => {
    const all = buttons();
    const at = all.findIndex((one) => one.matches(":focus"));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    moveTo(all[to]);
  });
  for (const part of [root, spot]) {
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !open) return;
      event.stopPropagation();
      close(true);
    });
    // The tabulator leads on, past the card.
    part.addEventListener("focusout", ({ relatedTarget }) => {
      if (isElsewhere(relatedTarget)) close();
    });
  }
  card.addEventListener("click", ({ target }) => {
    if (closest(target, "[data-close]", HTMLElement)) close();
  });
  document.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (isElsewhere(target)) close();
    },
    { signal },
  );
  const resized = new ResizeObserver(place);
  resized.observe(root);
  signal.addEventListener("abort", () => resized.disconnect());
  for (const name of ["focusin", "focusout", "input"])
    document.addEventListener(name, () => placeOwnMoment(root, lengthS), { signal });

  return {
    place(length) {
      lengthS = length;
      place();
    },
  };
}

function avatarOf({ x, comments }: Group, index: number, pictures: HTMLTemplateElement): HTMLElement {
  const button = document.createElement("button");
  const [first] = comments;
  const further = comments.length - 1;
  button.type = "button";
  button.className = "moment";
  button.tabIndex = index === 0 ? 0 : -1;
  button.style.left = `${x}px`;
  button.ariaExpanded = "false";
  button.ariaHasPopup = "dialog";
  button.setAttribute("aria-controls", "moment-card");
  if (!first) return button;
  const at = clock(first.at / 1000);
  button.ariaLabel = further > 0 ? `${comments.length} comments from ${at}` : `${first.by} at ${at}`;
  button.title = further > 0 ? button.ariaLabel : `${first.by}: ${first.text}`;
  button.append(pictureOf(first, pictures));
  if (further > 0) button.dataset.further = `+${further}`;
  return button;
}

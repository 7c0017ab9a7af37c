import { find } from "./elements.ts";

/** Changes between light and dark, and keeps the choice in a cookie for a year: pages come in the chosen scheme. */

const YEAR_MS = 365 * 24 * 3600 * 1000;

const root = document.documentElement;
const systemDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : systemDark.matches);

class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    const button = find(this, "button", HTMLElement);
    const describe = () =>
      button.setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
    describe();
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      // A page without https has no such store in some browsers, and the choice ends with the visit.
      window.cookieStore?.set({
        name: "theme",
        value: root.dataset.theme,
        expires: Date.now() + YEAR_MS,
        sameSite: "lax",
      });
      describe();
      document.dispatchEvent(new Event("theme"));
    });
  }
}

customElements.define("theme-switch", ThemeSwitch);

import { devPage, escapeHtml } from "../dev-page.ts";
import { BEHAVIOURS } from "./grants.ts";

const STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 28rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif;
  background: light-dark(#eef2f9, #14171d); color: light-dark(#1c1d20, #eceae6); overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
label { display: block; margin: 1rem 0 0; }
input, select { width: 100%; font: inherit; padding: .5rem; }
.quiet { opacity: .75; font-size: .875rem; }
.actions { display: flex; gap: .75rem; margin-top: 1.5rem; }
button { font: inherit; padding: .5rem 1.25rem; }
`;

const page = (title: string, body: string) => devPage(title, STYLE, body);

const behaviours = Object.entries(BEHAVIOURS)
  .map(([name, words]) => `<option value="${name}">${words}</option>`)
  .join("");

/** Posts to its own URL, whose query holds the request. */
export const consentPage = (service: string): string =>
  page(
    `Connect to ${service}`,
    `<h1>Soundpost would like to act for you at ${escapeHtml(service)}</h1>
<p class="quiet">This machine's stand-in for a service that you have a profile at.</p>
<form method="post">
<label>Your name there <input name="name" value="Ana Example" maxlength="200"></label>
<label>Your pages there, separated by commas <input name="pages" value="Ana's Band, Ana's Label"></label>
<label>What happens next <select name="behaviour">${behaviours}</select></label>
<div class="actions"><button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button></div>
</form>`,
  );

export const refusalPage = (cause: string): string =>
  page("Not a valid request", `<h1>Not a valid request</h1><p>${escapeHtml(cause)}</p>`);

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { ConsentBrowser, createVisitor, formsIn } from "../../support/consent.ts";
import { sql, stack } from "../../support/stack.ts";

const RETURN = "http://127.0.0.1:49152/";
const stateOf = () => randomBytes(24).toString("base64url");

const asking = (changes: Record<string, string> = {}) =>
  `/you/apps?${new URLSearchParams({
    name: "Pocket <Recorder>",
    client_type: "public",
    redirect_uris: "http://127.0.0.1/callback",
    return_to: RETURN,
    state: stateOf(),
    ...changes,
  })}`;

/** The form that hands the key over. */
const handoverIn = (html: string) => {
  const [, action, inner = ""] =
    /<form method="post" action="(http:\/\/127[^"]+)"[^>]*>(.*?)<\/form>/s.exec(html) ?? [];
  const fields = [...inner.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return { action, fields: Object.fromEntries(fields) as Record<string, string> };
};

test("a program's address fills in the registration, and registering is the user's own act", async () => {
  const { user, browser } = await createVisitor("artist");
  const page = await browser.get(asking());
  expect(page.status).toBe(200);
  expect(page.text).toContain('value="Pocket &lt;Recorder&gt;"');
  expect(page.text).toContain('<option value="public" selected="">');
  expect(page.text).toContain("A program on this device asks for this");
  expect(page.headers.get("X-Frame-Options")).toBe("DENY");
  expect(page.headers.get("Cache-Control")).toBe("no-store");
  expect(await sql("select from apps where owner_id = $1", [user.id])).toEqual([]);
});

test.for(["public", "confidential"])(
  "the key of a %s app goes to the program in a form",
  async (client_type) => {
    const { user, browser } = await createVisitor("artist");
    const state = stateOf();
    const form = await browser.form(asking({ client_type, state }));
    const fields = {
      name: "Pocket",
      redirect_uris: "http://127.0.0.1/callback",
      client_type,
      external_url: "",
    };
    const registered = await browser.submit(form, fields);
    expect([registered.status, registered.location]).toEqual([200, null]);
    const [app] = await sql<{ client_id: string }>("select client_id from apps where owner_id = $1", [
      user.id,
    ]);
    const { action, fields: handed } = handoverIn(registered.text);
    expect(action).toBe(RETURN);
    const secret = client_type === "public" ? {} : { client_secret: expect.stringMatching(/^cs_[\w-]{43}$/) };
    expect(handed).toEqual({ state, client_id: app?.client_id, ...secret });
    expect(registered.headers.get("Content-Security-Policy")).toMatch(
      /form-action 'self' http:\/\/127\.0\.0\.1:49152[ ;]?/,
    );
    expect(registered.headers.get("Cache-Control")).toBe("no-store");
  },
);

test("a refused form keeps the program that waits", async () => {
  const { browser } = await createVisitor("artist");
  const form = await browser.form(asking());
  const refused = await browser.submit(form, {
    name: "",
    client_type: "public",
    redirect_uris: "https://a.example/cb",
  });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`name="return_to" value="${RETURN}"`);
});

test("the program learns that a free plan registers no apps", async () => {
  const { browser } = await createVisitor("free");
  const { fields } = handoverIn((await browser.get(asking({ state: "s".repeat(32) }))).text);
  expect(fields).toEqual({ state: "s".repeat(32), error: "Registering an app needs a paid plan" });
});

test("a signed-out user comes back to the same registration", async () => {
  const address = asking();
  const { location } = await new ConsentBrowser().get(address);
  expect(new URL(location ?? "", RETURN).searchParams.get("next")).toBe(address);
});

test.for([
  "http://localhost:49152/",
  "http://127.0.0.1.evil.example:49152/",
  "http://127.0.0.1:49152@evil.example/",
  "http://evil.example:49152/",
  "https://127.0.0.1:49152/",
  "http://127.0.0.1/",
  "http://127.0.0.1:80/",
  "http://127.0.0.1:99999/",
  "http://127.0.0.1:49152/path",
  "http://127.0.0.1:49152/\n; script-src *",
  "http://[::1]:49152/",
  "javascript:alert(1)",
  "",
])("400: a key goes to no other address, such as %j, asked for by link or form", async (return_to) => {
  const { user, browser } = await createVisitor("artist");
  const page = await browser.get(asking({ return_to }));
  expect(page.status).toBe(400);
  expect(page.text).not.toMatch(/<form method="post" action="(?!\/)/);
  const form = await browser.form("/you/apps");
  const fields = { name: "Pocket", redirect_uris: "http://127.0.0.1/callback", client_type: "public" };
  const sent = await browser.submit(form, { ...fields, return_to, state: stateOf() });
  expect(sent.status).toBe(400);
  expect(await sql("select from apps where owner_id = $1", [user.id])).toEqual([]);
});

test("400: a state that could be guessed, or that is missing", async () => {
  const { browser } = await createVisitor("artist");
  for (const state of ["", "short", "x".repeat(129), `${"x".repeat(32)}"`])
    expect((await browser.get(asking({ state }))).status, state).toBe(400);
});

test("a public app has neither a secret nor a form for one on its page, and stays public", async () => {
  const { user, browser } = await createVisitor("artist");
  const fields = { name: "Pocket", redirect_uris: "https://app.example/cb", client_type: "public" };
  const registered = await browser.submit(await browser.form("/you/apps"), fields);
  expect(registered.text).not.toMatch(/class="secret"/);
  const { text } = await browser.get("/you/apps");
  expect(text).toContain("none: the app is public");
  expect(text).not.toContain("Make a new secret");
  expect(text).not.toMatch(/CLIENT_SECRET|clientSecret|client_credentials/);
  expect(text).toMatch(/curl -d client_id=\w{32} /);
  const [, edit] = formsIn(text, `${stack.urls.api}/you/apps`);
  if (!edit) throw new Error("no form to edit the app");
  expect(
    (await browser.submit(edit, { ...fields, name: "Pocket 2", client_type: "confidential" })).status,
  ).toBe(303);
  const apps = await sql("select name, secret_hash from apps where owner_id = $1", [user.id]);
  expect(apps).toEqual([{ name: "Pocket 2", secret_hash: null }]);
  const wrong = { ...fields, client_type: "native" };
  expect((await browser.submit(await browser.form("/you/apps"), wrong)).status).toBe(422);
});

import { expect, test } from "vitest";
import { operate } from "../../support/operate.ts";
import { createUser } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { fieldsIn, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";

const PAGE = "/admin/invitations";

const service = await threeHosts();
const { browser, person } = await operatorAt(service);
const operator = person.username;

/** Makes one, and returns the page that shows its link. */
const make = (fields: Record<string, string>) =>
  browser.submit(PAGE, PAGE, { uses: "2", days: "7", note: "", ...fields });

const lastOf = async (note: string) =>
  (
    await sql<{ id: number; used: number; uses: number; days: number; hash: string }>(
      `select id::float8 as id, used, uses, code_hash as hash,
         round(extract(epoch from expires_at - now()) / 86400)::int as days from invitations where note = $1`,
      [note],
    )
  )[0];

test("an operator makes an invitation, whose link stands on the next page alone", async () => {
  const note = `Choir ${operator}`;
  const shown = await make({ note });
  expect(shown.status).toBe(200);
  const [, code = ""] = /\/signup\?invitation=(iv_[\w-]{43})</.exec(shown.html) ?? [];
  expect(code).not.toBe("");
  expect(await lastOf(note)).toMatchObject({ used: 0, uses: 2, days: 7 });
  const { html, queries } = await browser.get("web", PAGE);
  expect(html).toContain(note);
  expect(html).toContain("open, 0 of 2 used");
  expect(html).toContain(`${operator}, `);
  expect([html.includes(code), queries]).toEqual([false, 1]);
});

test("an operator ends one, and its log says who and why", async () => {
  const note = `Ends ${operator}`;
  await make({ note });
  const id = (await lastOf(note))?.id;
  const ended = await browser.submit(PAGE, `${PAGE}/${id}/end`, { reason: "Leaked" });
  expect([ended.status, ended.location?.pathname]).toEqual([303, PAGE]);
  const acts = await sql("select actor, act, reason from audit_log where target_id = $1 order by id", [id]);
  expect(acts).toEqual([
    { actor: operator, act: "invitation.create", reason: null },
    { actor: operator, act: "invitation.end", reason: "Leaked" },
  ]);
  const { html } = await browser.get("web", PAGE);
  expect(html).toContain("ended, 0 of 2 used");
  expect(html).not.toContain(`${PAGE}/${id}/end`);
});

test("409 and 409: one that was ended or never was is not ended again", async () => {
  const note = `Twice ${operator}`;
  await make({ note });
  const other = `Other ${operator}`;
  await make({ note: other });
  const [id, form] = [
    (await lastOf(note))?.id,
    fieldsIn((await browser.get("web", PAGE)).html, `${PAGE}/${(await lastOf(other))?.id}/end`),
  ];
  expect((await browser.post("web", `${PAGE}/${id}/end`, form)).status).toBe(303);
  const again = await browser.post("web", `${PAGE}/${id}/end`, form);
  expect([again.status, again.html.includes("ended already")]).toEqual([409, true]);
  const ends = await sql("select from audit_log where target_id = $1 and act = 'invitation.end'", [id]);
  expect(ends).toHaveLength(1);
  expect((await browser.post("web", `${PAGE}/1/end`, form)).status).toBe(409);
});

test.each([
  [{ uses: "0" }, "Accounts "],
  [{ uses: "many" }, "Accounts "],
  [{ days: "0" }, "Days "],
  [{ days: "99999" }, "Days "],
  [{ note: "x".repeat(1_001) }, "Note "],
])("422: %j is refused by its name, and nothing is made", async (wrong, words) => {
  const refused = await make({ note: operator, ...wrong });
  expect([refused.status, refused.html.includes(words)]).toEqual([422, true]);
  expect(await lastOf(operator)).toBeUndefined();
});

test("404: nobody else sees or makes invitations", async () => {
  const { id } = await createUser();
  const stranger = await service.open().enterSite(id);
  expect((await stranger.get("web", PAGE)).status).toBe(404);
  expect((await stranger.post("web", PAGE, { uses: "1", days: "1" })).status).toBe(404);
});

test("the commands make, list and end invitations alike", async () => {
  const note = `By command ${operator}`;
  const made = await operate<{ id: number; link: string }>(
    "invitation create",
    "--uses",
    "5",
    "--note",
    note,
  );
  expect(made.link).toMatch(/\/signup\?invitation=iv_/);
  const list = async (before = made.id + 1) => {
    const page = ["--before", String(before), "--limit", "1"];
    return (await operate<{ invitations: object[] }>("invitation list", ...page)).invitations;
  };
  expect(await list()).toMatchObject([{ id: made.id, state: "open", note, uses: 5, used: 0 }]);
  expect(await list(made.id)).not.toMatchObject([{ id: made.id }]);
  const end = () => operate("invitation end", "--id", String(made.id), "--reason", "Done");
  expect(await end()).toEqual({ id: made.id, state: "ended" });
  expect(await list()).toMatchObject([{ id: made.id, state: "ended" }]);
  expect(await operate("invitation list")).toMatchObject({
    invitations: expect.toSatisfy(
      (all: { id: number }[]) => new Set(all.map(({ id }) => id)).size === all.length,
    ),
  });
  await expect(end()).rejects.toThrow("ended already");
  await expect(operate("invitation create", "--uses", "0")).rejects.toThrow("--uses");
  await expect(operate("invitation create", "--days", "x")).rejects.toThrow("--days");
});

test("a user who has yet to confirm is marked on the page, and let in there", async () => {
  const { id } = await createUser();
  await sql("update accounts set confirmed_at = null, awaits_confirmation = true where user_id = $1", [id]);
  const page = `/admin/users/${id}`;
  expect((await browser.get("web", page)).html).toContain("unconfirmed: posts nothing until it is confirmed");
  expect((await browser.submit(page, `${page}/admit`, { reason: "Known" })).status).toBe(303);
  const { html } = await browser.get("web", page);
  expect(html).toContain("unconfirmed");
  expect(html).not.toContain("posts nothing");
});

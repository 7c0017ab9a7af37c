import { expect, test } from "vitest";
import { createUser } from "../../support/people.ts";
import { threeHosts } from "../site/three-hosts.ts";
import { enrol, operate, operatorAt, startCode } from "./admin.support.ts";

const service = await threeHosts();

const LINK = '/admin">Operation</a>';

test("an operator's menu leads to the operators' pages, without a statement more; nobody else's does", async () => {
  const { browser, person } = await operatorAt(service);
  const { html, queries } = await browser.get("web", "/discover");
  expect(html).toContain(LINK);
  const other = await createUser();
  const stranger = await service.open().enterSite(other.id);
  const theirs = await stranger.get("web", "/discover");
  expect(theirs.html).not.toContain(LINK);
  expect(queries).toBe(theirs.queries);
  expect((await service.open().get("web", "/discover")).html).not.toContain(LINK);

  // Somebody else who signs in in the same browser is no operator.
  await browser.enterSite(other.id);
  expect((await browser.get("web", "/discover")).html).not.toContain(LINK);
  await browser.enterSite(person.id);
  expect((await browser.get("web", "/discover")).html).toContain(LINK);
});

test("the link goes once the role is taken away and the pages are not there any more", async () => {
  const { browser, person } = await operatorAt(service);
  await operate("remove", "--username", person.username);
  const { html, status } = await browser.get("web", "/admin");
  expect([status, html.includes(LINK)]).toEqual([404, false]);
  expect((await browser.get("web", "/discover")).html).not.toContain(LINK);
});

test("who becomes an operator while signed in gets the link with the first page", async () => {
  const person = await createUser();
  const browser = await service.open().enterSite(person.id);
  expect((await browser.get("web", "/discover")).html).not.toContain(LINK);
  await enrol(browser, await startCode(person));
  expect((await browser.get("web", "/discover")).html).toContain(LINK);
});

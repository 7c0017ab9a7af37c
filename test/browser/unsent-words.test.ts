import { expect, test } from "vitest";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { createTrack } from "../support/tracks.ts";
import { launchBrowser } from "./browser.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();

test("what was typed into a form is there again after a reload, until it is sent", async () => {
  const ana = await createUser();
  await createTrack(ana, { title: "Reloaded", permalink: "reloaded" });
  const address = `${stack.urls.api}/${ana.username}/reloaded/edit`;
  const { page } = await browser.visit(address, await signedIn(ana));
  const [genre, description] = [page.getByLabel("Genre"), page.getByLabel("Description")];
  await genre.fill("Folk");
  await description.fill("Written for an hour");
  await page.reload();
  await expect.poll(() => description.inputValue()).toBe("Written for an hour");
  expect(await genre.inputValue()).toBe("Folk");
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("Reloaded");

  await description.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`**/${ana.username}/reloaded`);
  await page.goto(address);
  await page.reload();
  expect([await genre.inputValue(), await description.inputValue()]).toEqual(["Folk", ""]);
});

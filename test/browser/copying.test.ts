import { expect, test } from "vitest";
import type { Playlist } from "../../functions/api/playlists/representation.ts";
import { api } from "../support/api.ts";
import { createUser } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { faultsOfAccess } from "./accessibility.ts";
import { launchBrowser, overflow } from "./browser.ts";
import { byKeyboard } from "./hands.ts";
import { signedIn } from "./upload.support.ts";

const browser = launchBrowser();

test("owners copy the private link of a set and the address of its feed on a phone, by keyboard alone", async () => {
  const ana = await createUser();
  const json = { playlist: { title: "Talks", sharing: "private" } };
  const { body } = await api.as(ana).post<Playlist>("/playlists", { json });
  const path = new URL(body.permalink_url).pathname;
  const { page, complaints } = await browser.visit(`${stack.urls.api}${path}/edit`, {
    ...(await signedIn(ana)),
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 390, height: 844 },
  });
  for (const [place, address] of [
    ["edit", `${path}/${body.secret_token}`],
    ["podcast", `${path}/${body.secret_token}/feed.xml`],
  ] as const) {
    await page.goto(`${stack.urls.api}${path}/${place}`);
    await byKeyboard.press(page.getByRole("button", { name: "Copy", exact: true }));
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${stack.urls.api}${address}`);
    expect([await overflow(page), await faultsOfAccess(page), complaints]).toEqual([0, [], []]);
  }
});

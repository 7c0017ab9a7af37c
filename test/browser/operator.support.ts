import type { Page } from "playwright-core";
import { createUserWithPassword } from "../support/people.ts";
import { stack } from "../support/stack.ts";
import { codeOf, startCode } from "../web/admin/admin.support.ts";
import type { launchBrowser, Visit, VisitOptions } from "./browser.ts";
import { signInByForm } from "./sign-in.ts";

/** Signs in, sets up the second factor and opens the overview. `onPage` sees the pages on the way. */
export async function openAsOperator(
  browser: ReturnType<typeof launchBrowser>,
  options: VisitOptions = {},
  onPage: (page: Page, name: string) => unknown = () => {},
): Promise<Visit> {
  const operator = await createUserWithPassword();
  const start = await startCode(operator);
  const visit = await browser.visit(`${stack.urls.web}/session/new?next=/admin`, options);
  const { page } = visit;
  await signInByForm(page, operator);
  await page.getByRole("heading", { name: "Set up your second factor" }).waitFor();
  await page.getByText("Enter it by hand").click();
  await onPage(page, "admin-enrol");
  const secret = (await page.locator("code.secret").first().textContent()) ?? "";
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(codeOf(secret.replaceAll(" ", "")));
  await page.getByRole("textbox", { name: "Start code" }).fill(start);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await onPage(page, "admin-recovery");
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByRole("heading", { name: "Operation" }).waitFor();
  return visit;
}

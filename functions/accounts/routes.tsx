import { Hono } from "hono";
import type { AppEnv } from "../http/env.ts";
import { changes } from "./changes.tsx";
import { mailLinks } from "./mail-links.tsx";
import { showError } from "./page.tsx";
import { settingsPages } from "./settings.tsx";
import { settingsPicture } from "./settings-picture.ts";
import { signInPages } from "./sign-in.tsx";
import { signUpPages } from "./sign-up.tsx";

/** {auth_url}: pages of people's own accounts. Plain forms, which work without script. */
export const accounts = new Hono<AppEnv>()
  .route("/", signInPages)
  .route("/", signUpPages)
  .route("/", mailLinks)
  .route("/", settingsPages)
  .route("/", settingsPicture)
  .route("/", changes);

accounts.onError(showError);

import { changeSiteAvatar, listSiteImage } from "../../../db/queries/images.ts";
import { findSettings } from "../../../db/queries/settings.ts";
import { MAX_IMAGE_BYTES } from "../../api/images/limits.ts";
import { storeImage } from "../../api/images/store.ts";
import { Routes } from "../../lib/http/route.ts";
import { readOwnFile, readOwnForm } from "../../ui/form-guard.ts";
import { seeOther } from "../../ui/page.tsx";
import { sessionOf, signInOrError, toSignIn } from "./settings.tsx";
import { showSettings } from "./settings-page.tsx";

const NOTHING_CHOSEN = { refused: "has to be chosen first" };

export const settingsPicture = new Routes({ renderError: signInOrError });

settingsPicture.form("/settings/picture", async (c) => {
  const sent = await readOwnFile(c, "picture", { field: "picture", maxBytes: MAX_IMAGE_BYTES });
  const session = sessionOf(c);
  const list = (prefix: string) => listSiteImage(c.var.db, session, prefix);
  const stored = sent ? await storeImage(c.env, "avatar", sent.bytes, list) : NOTHING_CHOSEN;
  if ("version" in stored) {
    await changeSiteAvatar(c.var.db, session, stored.version);
    return seeOther(c, "/settings?notice=picture");
  }
  const settings = await findSettings(c.var.db, session);
  if (!settings) return toSignIn(c);
  const state = { values: {}, problems: { picture: stored.refused } };
  return showSettings(c, settings, { form: "picture", state });
});

settingsPicture.form("/settings/picture/remove", async (c) => {
  await readOwnForm(c, "remove picture");
  await changeSiteAvatar(c.var.db, sessionOf(c), null);
  return seeOther(c, "/settings?notice=picture-removed");
});

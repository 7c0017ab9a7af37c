import * as z from "zod";
import { imageFile } from "../images/input.ts";
import { idText } from "../text/fields.ts";
import { Username } from "./account-input.ts";
import { Description, Website, WebsiteTitle } from "./settings-input.ts";

export const UserId = z.object({ id: idText("users").describe("Id or URN of the user.") });

/** Omitted fields stay unchanged; null or "" clears them. Other fields are read-only and ignored. */
export const MeBody = z
  .object({
    user: z.object({
      username: Username.optional(),
      description: Description.nullish().describe("Plain text."),
      website: Website.nullish(),
      website_title: WebsiteTitle.nullish(),
      avatar_data: imageFile.optional(),
    }),
  })
  .meta({ id: "MeUpdate" });

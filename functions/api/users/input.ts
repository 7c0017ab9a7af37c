import * as z from "zod";
import { idText } from "../../lib/text/fields.ts";
import { imageFile } from "../images/input.ts";
import { Username } from "./account-input.ts";
import { Description, Website, WebsiteTitle } from "./settings-input.ts";

export const UserId = z.object({ id: idText("users").describe("Id or URN of the user.") });

/** The owner in the query of a public list, as older clients send it. */
export const ownerInQuery = (what: "tracks" | "playlists") =>
  z.object({
    user_id: idText("users")
      .optional()
      .describe(
        `Id or URN of the ${what}' owner, as older clients send it: the list of \`/users/{id}/${what}\`.`,
      ),
  });
export const NO_OWNER = { 404: "No user has the `user_id`." };

/** Omitted fields stay unchanged; null or "" clears them. Other fields are read-only and ignored. */
export const MeBody = z
  .object({
    user: z
      .object({
        username: Username.optional(),
        description: Description.nullish().describe("Plain text."),
        website: Website.nullish(),
        website_title: WebsiteTitle.nullish(),
        avatar_data: imageFile.optional(),
      })
      .describe("The user."),
  })
  .meta({ id: "MeUpdate" });

import * as z from "zod";
import { about, plainIdText } from "../../lib/text/fields.ts";
import { ForeignUrl } from "../podcasts/fields.ts";

export const ImportId = z.object({ id: plainIdText.describe("Id of the import.") });

export const ImportEpisodeId = z.object({
  ...ImportId.shape,
  episodeId: plainIdText.describe("Id of the episode in the import."),
});

export const NewImportBody = z
  .object({
    podcast_import: z
      .object({
        feed_url: ForeignUrl.meta(
          about("Address of the RSS feed at its present host.", "https://feeds.example/night-trains.xml"),
        ),
      })
      .describe("The podcast that moves in."),
  })
  .meta({ id: "NewPodcastImport" });

export const ConfirmationBody = z
  .object({
    code: z
      .string()
      .trim()
      .max(100, "may have 100 characters at most")
      .transform((code) => code || undefined)
      .optional()
      .meta(
        about(
          "The code that was mailed to the feed's owner. Without one, the feed is read again for `proof_text`.",
          "ABCD-EFGH-IJKL-MNOP",
        ),
      ),
  })
  .meta({ id: "PodcastImportConfirmation" });

import * as z from "zod";
import { about } from "../text/fields.ts";
import { reasonOf } from "./errors.ts";

/** The reply of operations that have no resource to return. */
export const StatusBody = z
  .strictObject({ status: z.string().meta(about("`<status> - <reason>`", "200 - OK")) })
  .meta({ id: "Status" });

export const statusBody = (status: 200 | 201): z.infer<typeof StatusBody> => ({
  status: `${status} - ${reasonOf(status)}`,
});

/** The requested state already existed. */
export const UNCHANGED = { status: "200 - Successful" };

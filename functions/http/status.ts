import * as z from "zod";
import { reasonOf } from "./errors.ts";

/** What operations answer that have no resource to show. */
export const StatusBody = z.strictObject({ status: z.string() }).meta({ id: "Status" });

export const statusBody = (status: 200 | 201): z.infer<typeof StatusBody> => ({
  status: `${status} - ${reasonOf(status)}`,
});

/** What was asked for stood already. */
export const STOOD = { status: "200 - Successful" };

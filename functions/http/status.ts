import * as z from "zod";

/** What operations answer that have no resource to show. */
export const StatusBody = z.strictObject({ status: z.string() }).meta({ id: "Status" });

export const statusBody = (status: 200): z.infer<typeof StatusBody> => ({ status: `${status} - OK` });

/** What was asked for stood already. */
export const STOOD = { status: "200 - Successful" };

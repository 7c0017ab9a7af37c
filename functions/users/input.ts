import * as z from "zod";
import { idText } from "../http/fields.ts";

export const UserId = z.object({ id: idText("users").describe("Id or URN of the user.") });

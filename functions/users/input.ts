import * as z from "zod";
import { idText } from "../text/fields.ts";

export const UserId = z.object({ id: idText("users").describe("Id or URN of the user.") });

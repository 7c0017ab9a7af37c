import { requireOperator } from "../../../db/queries/operator-accounts.ts";
import { Routes } from "../../http/route.ts";
import { showAdmin, showAdminError } from "./frame.tsx";
import { readerAsOperator } from "./guard.ts";

export const overview = new Routes({ renderError: showAdminError });

overview.page("/admin", async (c) => {
  await requireOperator(c.var.db, readerAsOperator(c));
  return showAdmin(
    c,
    { title: "Operation", section: "/admin" },
    <header class="page-head">
      <h1>Operation</h1>
    </header>,
  );
});

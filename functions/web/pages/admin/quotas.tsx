import { setPlanQuota, showPlanQuotas } from "../../../../db/queries/moderation-quotas.ts";
import { Plan } from "../../../api/users/account-input.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm } from "./act-form.tsx";
import { showAdmin, showAdminError } from "./frame.tsx";
import { readAct, readerAsOperator } from "./guard.ts";
import { amountOf, LimitFields, limitsIn } from "./limits.tsx";
import { actingOf, Entry } from "./list-page.tsx";

export const quotaPage = new Routes({ renderError: showAdminError });

quotaPage.page("/admin/quotas", async (c) => {
  const plans = await showPlanQuotas(c.var.db, readerAsOperator(c));
  const acting = actingOf(c);
  return showAdmin(
    c,
    { title: "Quotas", section: "/admin/quotas" },
    <section>
      <header class="page-head">
        <h1>Quotas</h1>
        <p class="hint">Limits of each plan. A user's page may set others.</p>
      </header>
      <ul class="card connected admin-rows">
        {plans.map((quota) => (
          <li>
            <Entry
              title={quota.plan}
              lines={[
                `Audio: ${amountOf("seconds", quota.seconds)}`,
                `Files: ${amountOf("bytes", quota.bytes)}`,
                `Tracks: ${amountOf("tracks", quota.tracks)}`,
              ]}
            >
              <ActForm
                acting={acting}
                action="/admin/quotas"
                label="Change"
                of={quota.plan}
                reason="optional"
              >
                <input type="hidden" name="plan" value={quota.plan} />
                <LimitFields of={quota} hint="Empty is no limit." />
              </ActForm>
            </Entry>
          </li>
        ))}
      </ul>
    </section>,
  );
});

quotaPage.form("/admin/quotas", async (c) => {
  const { by, page, fields } = await readAct(c);
  const plan = Plan.safeParse(fields.plan);
  if (!plan.success) return invalid("There is no such plan");
  await setPlanQuota(c.var.db, by, plan.data, limitsIn(fields, null));
  return seeOther(c, page);
});

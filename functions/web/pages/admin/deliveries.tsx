import {
  actOnDelivery,
  DELIVERY_STATES,
  type Delivery,
  listDeliveries,
} from "../../../../db/queries/operations.ts";
import { Routes } from "../../../lib/http/route.ts";
import { seeOther } from "../../../ui/page.tsx";
import { ActForm, type Acting } from "./act-form.tsx";
import { showAdminError } from "./frame.tsx";
import { beforeIn, idIn, readAct, readerAsOperator } from "./guard.ts";
import { Entry, ROWS, showList } from "./list-page.tsx";
import { refuse } from "./refusals.ts";
import { minute } from "./words.ts";

export const deliveryPages = new Routes({ renderError: showAdminError });

const TABS = { failed: "Failed", pending: "Pending", disabled: "Switched off" };

const EMPTY = {
  failed: "No delivery has failed in the last 30 days for a webhook that is switched on.",
  pending: "No delivery is on its way.",
  disabled: "No delivery has failed for a webhook that is switched off by now.",
};

deliveryPages.page("/admin/deliveries", async (c) => {
  const state = DELIVERY_STATES.find((each) => each === c.req.query("state")) ?? "failed";
  const page = { before: beforeIn(c), limit: ROWS };
  return showList(c, {
    title: "Webhook deliveries",
    section: "/admin/deliveries",
    tabs: { parameter: "state", names: TABS, current: state },
    rows: await listDeliveries(c.var.db, readerAsOperator(c), state, page),
    idOf: ({ id }) => id,
    empty: EMPTY[state],
    row: (delivery, acting) => <DeliveryRow delivery={delivery} acting={acting} />,
  });
});

for (const act of ["retry", "drop"] as const)
  deliveryPages.form(`/admin/deliveries/:id/${act}`, async (c) => {
    const { by, page } = await readAct(c);
    const { outcome } = await actOnDelivery(c.var.db, by, act, idIn(c));
    return outcome === "done" ? seeOther(c, page) : refuse("delivery", outcome);
  });

const DISABLED = {
  failing: "the address did not answer for five days",
  gone: "the address said that it is gone",
  access_ended: "the app lost its access",
};

const DeliveryRow = ({ delivery, acting }: { delivery: Delivery; acting: Acting }) => {
  const { id, event, host, user, app, tries, failure, response_code, created_at, disabled_reason } = delivery;
  const path = `/admin/deliveries/${id}`;
  const of = `${event} to ${host}`;
  return (
    <Entry
      title={of}
      lines={[
        <>
          of <a href={`/admin/users/${delivery.user_id}`}>{user}</a> by {app}, {minute(created_at)}
        </>,
        <>
          {tries} {tries === 1 ? "attempt" : "attempts"}
          {failure !== null && (
            <>
              , last <code>{failure}</code>
              {response_code !== null && ` with status ${response_code}`}
            </>
          )}
          {delivery.next_attempt_at !== null && `, due ${minute(delivery.next_attempt_at)}`}
        </>,
        !delivery.enabled &&
          `The webhook is switched off${disabled_reason === null ? " by its user" : `: ${DISABLED[disabled_reason]}`}.`,
      ]}
    >
      {delivery.enabled && <ActForm acting={acting} action={`${path}/retry`} label="Send now" of={of} />}
      {delivery.state === "pending" && (
        <ActForm
          acting={acting}
          action={`${path}/drop`}
          label="Drop"
          of={of}
          reason="optional"
          kind="danger"
        />
      )}
    </Entry>
  );
};

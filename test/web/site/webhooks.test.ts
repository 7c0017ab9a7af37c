import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { api } from "../../support/api.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { startThreeHosts, type ThreeHostsBrowser, threeHosts, tokenIn } from "./three-hosts.ts";

const service = await threeHosts();
let ana: Person;
let browser: ThreeHostsBrowser;

beforeAll(async () => {
  ana = await createUser();
  browser = await service.enter(ana);
});

const URL_OF = (name: string) => `https://receiver.example.com/${name}`;

async function create(fields: Record<string, string>, by = browser) {
  const { html } = await by.get("web", "/you/webhooks");
  return by.post("web", "/you/webhooks", { form_token: tokenIn(html, "/you/webhooks"), ...fields });
}

async function createOne(name: string): Promise<number> {
  const { html } = await create({ url: URL_OF(name), follow_created: "on" });
  return Number(/href="\/you\/webhooks\/(\d+)"/.exec(html)?.[1]);
}

const page = (id: number) => browser.get("web", `/you/webhooks/${id}`);

async function act(id: number, action: string, fields: Record<string, string> = {}) {
  const { html } = await page(id);
  const path = `/you/webhooks/${id}${action}`;
  return browser.post("web", path, { form_token: tokenIn(html, path), ...fields });
}

test("the form says which addresses this service reaches", async () => {
  const PUBLIC = "It begins with https:// and is on a public host.";
  const away = await startThreeHosts({ WEBHOOK_TARGETS: "public" });
  onTestFinished(away.stop);
  expect((await (await away.enter(ana)).get("web", "/you/webhooks")).html).toContain(PUBLIC);
  const { html } = await browser.get("web", "/you/webhooks");
  expect(html).toContain("such as http://localhost:8080/");
  expect(html).toContain('/docs/webhooks#check-the-signature">How to verify it<');
  expect(html).not.toContain(PUBLIC);
  expect((await create({ url: "http://localhost:8080/", follow_created: "on" })).status).toBe(200);
});

test("a webhook is created, and its secret is shown once", async () => {
  const made = await create({ url: URL_OF("new"), follow_created: "on", track_finished: "on" });
  expect(made.status).toBe(200);
  expect(made.html).toMatch(/whsec_[\w+/=]{44}/);
  const { html, queries } = await browser.get("web", "/you/webhooks");
  expect(queries).toBe(1);
  expect(html).toContain(URL_OF("new"));
  expect(html).toContain("track.finished, follow.created");
  expect(html).not.toContain("whsec_");
});

describe("the form is shown again with the problem beside its field", () => {
  test.for([
    [{ url: "ftp://x.example", follow_created: "on" }, 'id="webhook-url-problem"'],
    [{ url: URL_OF("eventless") }, 'id="events-problem">Events are missing: tick one at least<'],
    [{ url: "", follow_created: "on" }, 'id="webhook-url-problem"'],
  ] as const)("%o", async ([fields, problem]) => {
    const { status, html } = await create({ ...fields });
    expect(status).toBe(422);
    expect(html).toContain(problem);
  });

  test("for an address that the site already has", async () => {
    await createOne("twice");
    const again = await create({ url: URL_OF("twice"), like_created: "on" });
    expect(again.status).toBe(422);
    expect(again.html).toMatch(/webhook-url-problem[\s\S]*already has this address/);
    expect(again.html).toMatch(/name="like_created" value="on" checked/);
  });
});

test("a webhook is changed and switched off", async () => {
  const id = await createOne("changing");
  const saved = await act(id, "", { url: URL_OF("changed"), like_created: "on" });
  expect([saved.status, saved.location?.pathname]).toEqual([303, `/you/webhooks/${id}`]);
  const { html, queries } = await page(id);
  expect(queries).toBe(1);
  expect(html).toContain(URL_OF("changed"));
  expect(html).toMatch(/name="like_created" value="on" checked/);
  expect(html).not.toMatch(/name="(?:follow_created|enabled)" value="on" checked/);
  const wrong = await act(id, "", { url: "nonsense", like_created: "on", enabled: "on" });
  expect([wrong.status, wrong.html.includes("webhook-url-problem")]).toEqual([422, true]);
});

test("a test is sent, and its delivery is in the log and can be sent again", async () => {
  const id = await createOne("tested");
  expect((await page(id)).html).toContain("Nothing was sent");
  const sent = await act(id, "/test");
  expect(sent.location?.search).toBe("?notice=sent");
  await sql(
    "update webhook_deliveries set state = 'failed', attempt = null, next_attempt_at = null where webhook_id = $1",
    [id],
  );
  const { html } = await page(id);
  expect(html).toMatch(/A test<\/strong>[\s\S]*Failed/);
  expect(html).toContain("webhook.test");
  const [, replay = ""] = /action="\/you\/webhooks\/\d+(\/deliveries\/\d+\/replay)"/.exec(html) ?? [];
  expect((await act(id, replay)).location?.search).toBe("?notice=sent");
  const [row] = await sql<{ state: string }>("select state from webhook_deliveries where webhook_id = $1", [
    id,
  ]);
  expect(row?.state).toBe("pending");
});

test("a webhook's page shows no notice but its own", async () => {
  const id = await createOne("noticed");
  const noticed = (name: string) => browser.get("web", `/you/webhooks/${id}?notice=${name}`);
  expect((await noticed("saved")).html).toMatch(/<p class="done" role="status">\s*Saved/);
  for (const name of ["constructor", "__proto__"])
    expect((await noticed(name)).html, name).not.toContain('class="done"');
});

test("a secret is replaced, and a webhook is deleted", async () => {
  const id = await createOne("ending");
  expect((await act(id, "/secret")).html).toMatch(/whsec_/);
  expect((await act(id, "/delete")).location?.pathname).toBe("/you/webhooks");
  expect((await page(id)).status).toBe(404);
});

test("webhooks of other apps are named, by host alone, and not opened", async () => {
  const json = { url: "https://hooks.example.org/its-secret", events: ["like.created"] };
  const made = await api.as(ana).post<{ id: number }>("/me/webhooks", { json });
  const { html } = await browser.get("web", "/you/webhooks");
  expect(html).toContain("hooks.example.org");
  expect(html).not.toContain("its-secret");
  expect((await page(made.body.id)).status).toBe(404);
});

test("signing out leaves the webhook: the site keeps its user's access", async () => {
  const bea = await createUser();
  await create({ url: URL_OF("kept"), follow_created: "on" }, await service.enter(bea));
  await sql("update sessions set revoked_at = now() where user_id = $1", [bea.id]);
  await api.as(await createUser()).put(`/me/followings/${bea.id}`);
  // An attempt without access would switch the webhook off.
  const attempted = () =>
    sql(
      "select w.enabled from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.user_id = $1 and d.tries > 0",
      [bea.id],
    );
  await expect.poll(attempted).toEqual([{ enabled: true }]);
});

describe("nobody else", () => {
  test("sees or changes a webhook", async () => {
    const id = await createOne("private");
    const stranger = await service.enter(await createUser());
    expect((await stranger.get("web", `/you/webhooks/${id}`)).status).toBe(404);
    const { html } = await page(id);
    const path = `/you/webhooks/${id}/delete`;
    const stolen = await stranger.post("web", path, { form_token: tokenIn(html, path) });
    expect(stolen.status).toBe(403);
    expect((await browser.post("web", path, { form_token: "x" })).status).toBe(403);
    expect((await page(id)).status).toBe(200);
  });

  test.for(["/you/webhooks", "/you/webhooks/1"])("opens %s without a session", async (path) => {
    const back = `/session/new?${new URLSearchParams({ next: path })}`;
    const asked = async (who: ThreeHostsBrowser) => {
      const { location } = await who.get("web", path);
      return `${location?.pathname}${location?.search}`;
    };
    expect(await asked(service.open())).toBe(back);
    const person = await createUser();
    const ended = await service.enter(person);
    await sql("update sessions set revoked_at = now() where user_id = $1", [person.id]);
    expect(await asked(ended)).toBe(back);
  });
});

test("rubbish gets 404, and a foreign cursor 400", async () => {
  for (const path of ["0", "x", "99999999999999999999", "123"])
    expect((await browser.get("web", `/you/webhooks/${path}`)).status, path).toBe(404);
  const id = await createOne("paged");
  expect((await browser.get("web", `/you/webhooks/${id}?cursor=x`)).status).toBe(400);
});

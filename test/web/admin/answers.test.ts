import { beforeAll, expect, test } from "vitest";
import { createComment } from "../../api/comments/comments.support.ts";
import { createPlaylist } from "../../api/playlists/playlists.ts";
import { api } from "../../support/api.ts";
import { mailsTo, mailTo, sendMailsTo } from "../../support/browser.ts";
import { createForm, createPng } from "../../support/images.ts";
import { operate } from "../../support/operate.ts";
import { createUser, type Person } from "../../support/people.ts";
import { sql } from "../../support/stack.ts";
import { createPlayableTrack } from "../../support/tracks.ts";
import { fieldsIn, type ThreeHostsBrowser, threeHosts } from "../site/three-hosts.ts";
import { operatorAt } from "./admin.support.ts";
import { ANSWER, answer, caseOf } from "./removals.support.ts";

const service = await threeHosts();
let browser: ThreeHostsBrowser;

beforeAll(async () => {
  ({ browser } = await operatorAt(service));
});

/** A track that somebody reported by mail and an operator took down. */
async function takenDown() {
  const owner = await createUser();
  const track = await createPlayableTrack(owner, { permalink: "claimed", title: "Claimed <i>song</i>" });
  const reporter = `${owner.username}-claims@example.com`;
  const url = `http://web.localhost:${service.port}/${owner.username}/claimed`;
  await service
    .open()
    .submit("/report", "/report", { url, reason: "copyright", details: "Mine", email: reporter });
  const acts = `/admin/tracks/${track.id}`;
  await browser.submit(acts, `${acts}/take-down`, { reason: "A claim" });
  const { id } = await caseOf(owner.id);
  return { owner, track, reporter, id, path: `/you/removals/${id}`, page: `/admin/removals/${id}` };
}

const addressOf = ({ username }: Person) => `${username}@example.com`;

test("an owner reads the reason, answers once, and hears of each act by mail, as does who reported it", async () => {
  const { owner, track, reporter, id, path, page } = await takenDown();
  expect((await mailTo(addressOf(owner), "Your track was removed")).text).toContain("A claim");
  expect((await mailTo(reporter, "was removed")).text).not.toContain("Claimed");
  const own = await service.enter(owner);
  const list = await own.get("web", "/you/removals");
  expect([list.queries, list.html.includes(path)]).toEqual([1, true]);
  const shown = await own.get("web", path);
  expect([shown.queries, shown.html.includes("A claim"), shown.html.includes("<i>song")]).toEqual([
    1,
    true,
    false,
  ]);

  for (const [field, label] of [
    ["statement", "Why it was removed by mistake is missing"],
    ["name", "Your full name is missing"],
    ["contact", "Your postal address and telephone number is missing"],
    ["sworn", "Your oath is needed"],
    ["consent", "Your consent is needed"],
  ] as const) {
    const refused = await answer(own, id, { ...ANSWER, [field]: "" });
    expect([field, refused.status, refused.html.includes(label)]).toEqual([field, 422, true]);
  }

  // Both forms are read before either answer is sent.
  const form = { ...fieldsIn((await own.get("web", path)).html, path), ...ANSWER };
  const [first, second] = await Promise.all([own.post("web", path, form), own.post("web", path, form)]);
  expect([first.status, second.status]).toEqual([303, 303]);
  const waiting = await own.get("web", path);
  expect([
    waiting.html.split("I wrote it myself.").length - 1,
    waiting.html.includes("Send the answer"),
  ]).toEqual([1, false]);
  await mailTo(addressOf(owner), "We have your answer");
  const toOperators = async () =>
    (await mailsTo("reports@soundpost.example")).find(({ text }) => text.includes(`${page}\n`));
  await expect.poll(toOperators).toMatchObject({ subject: "Answer to a removal" });
  expect((await toOperators())?.text).toContain("I wrote it myself.");
  const objection = await mailTo(reporter, "An objection");
  expect(objection.text).not.toContain("I wrote it myself");

  const queue = await browser.get("web", "/admin/removals");
  expect([queue.queries, queue.html.includes(page)]).toEqual([1, true]);
  const seen = await browser.get("web", page);
  for (const words of ["I wrote it myself.", "1 Example Street", "Mine", reporter])
    expect(seen.html).toContain(words);
  expect((await browser.submit(page, `${page}/uphold`, { reason: "" })).status).toBe(422);
  await browser.submit(page, `${page}/uphold`, { reason: "No proof" });
  expect((await mailTo(addressOf(owner), "stays removed")).text).toContain("No proof");
  await mailTo(reporter, "stays removed");
  expect((await own.get("web", path)).html).toContain("No proof");
  const acts = await sql("select act, reason from audit_log where target_id = $1", [track.id]);
  expect(acts).toContainEqual({ act: "track.uphold", reason: "No proof" });
  const twice = await browser.post("web", `${page}/uphold`, {
    ...fieldsIn(seen.html, `${page}/uphold`),
    reason: "Again",
  });
  expect(twice.status).toBe(409);

  await answer(own, id, { ...ANSWER, statement: "Here is the proof." });
  await browser.submit(page, `${page}/restore`, { reason: "Proven" });
  expect((await mailTo(addressOf(owner), "is back")).text).toContain("Proven");
  await mailTo(reporter, "is back");
  expect((await service.open().get("web", `/${owner.username}/claimed`)).status).toBe(200);
  const restored = await own.get("web", path);
  expect([restored.html.includes("Restored"), restored.html.includes("Send the answer")]).toEqual([
    true,
    false,
  ]);
  expect(await operate("track show", "--track", String(track.id))).toMatchObject({ taken_down_for: null });
});

test("owner and reporter hear of a comment, a set and a picture, but nobody whose report was dismissed or their own", async () => {
  const owner = await createUser();
  const { id: comment } = await createComment(owner, await createPlayableTrack(owner));
  const { id: set } = await createPlaylist(owner, { sharing: "public" });
  await api.as(owner).put("/me", createForm({ "user[avatar_data]": await createPng(120, 120) }));
  const { avatar_url } = (await api.as(owner).get<{ avatar_url: string }>("/me")).body;
  const [reporter, dismissed, self] = ["reporter", "dismissed", "self"].map(
    (name) => `${owner.username}-${name}@example.com`,
  ) as [string, string, string];
  const heard = async (address: string) => {
    const waiting = "select id from mails where recipient = $1";
    await sendMailsTo(address);
    await expect.poll(() => sql(waiting, [address])).toEqual([]);
    return (await mailsTo(address)).map(({ subject }) => subject);
  };
  for (const [kind, id, url, word, given] of [
    ["comment", comment, "https://x.example/c", "comment", ["--comment", String(comment)]],
    ["playlist", set, "https://x.example/s", "set", ["--set", String(set)]],
    ["page", null, avatar_url, "picture", ["--user", owner.username]],
  ] as const) {
    for (const [email, state, who] of [
      [reporter, "open", null],
      [reporter, "open", null],
      [dismissed, "dismissed", null],
      [self, "open", owner.id],
    ])
      await sql(
        `insert into reports (target_kind, target_id, url, reason, details, email, state, reporter_id)
         values ($1, $2, $3, 'other', '', $4, $5, $6)`,
        [kind, id, url, email, state, who],
      );
    await operate(`${word} remove`, ...given, "--reason", "Stolen");
    const { id: removal } = await caseOf(owner.id);
    await operate("removal restore", "--removal", String(removal), "--reason", "A mistake");
    const [back, gone, ...more] = (await heard(reporter)).filter((subject) => subject.includes(word)).sort();
    expect([back, gone, more]).toEqual([
      `The ${word} that you reported is back`,
      `The ${word} that you reported was removed`,
      [],
    ]);
    const own = (await heard(addressOf(owner))).filter((subject) => subject.includes(word));
    expect(own.sort()).toEqual([`Your ${word} is back`, `Your ${word} was removed`]);
  }
  expect([await heard(dismissed), await heard(self)]).toEqual([[], []]);
  // A stranger may have the address.
  await sql("update accounts set confirmed_at = null where user_id = $1", [owner.id]);
  await operate("set remove", "--set", String(set), "--reason", "Stolen");
  expect([(await heard(addressOf(owner))).length, (await heard(reporter)).length]).toEqual([6, 7]);
});

test("nobody else sees a case or answers it, and one that is restored takes no answer", async () => {
  const [{ owner, track, id, path }, theirs] = [await takenDown(), await takenDown()];
  const other = await service.enter(theirs.owner);
  expect((await other.get("web", path)).status).toBe(404);
  const list = (await other.get("web", "/you/removals")).html;
  expect([list.includes(theirs.path), list.includes(path)]).toEqual([true, false]);
  const form = fieldsIn((await other.get("web", theirs.path)).html, theirs.path);
  expect((await other.post("web", path, { ...form, ...ANSWER })).status).toBe(404);
  const own = await service.enter(owner);
  const { html } = await own.get("web", path);
  // The token is another session's.
  expect((await other.post("web", path, { ...fieldsIn(html, path), ...ANSWER })).status).toBe(403);
  const visitor = await service.open().get("web", path);
  expect(visitor.location?.searchParams.get("next")).toBe(path);
  for (const odd of ["0", "x", "9".repeat(30)])
    expect((await own.get("web", `/you/removals/${odd}`)).status).toBe(404);
  const act = (verb: string) => operate(`track ${verb}`, "--track", String(track.id), "--reason", "Again");
  await expect(act("take-down")).rejects.toThrow("The track is taken down already");
  await act("put-back");
  await expect(act("put-back")).rejects.toThrow("The track is not taken down");
  await own.post("web", path, { ...fieldsIn(html, path), ...ANSWER });
  expect(await operate("removal show", "--removal", String(id))).toMatchObject({ notices: [] });
});

test("the sixth answer of a day is refused with the time to wait", async () => {
  const { owner, id } = await takenDown();
  const own = await service.enter(owner);
  for (let sent = 0; sent < 5; sent++) {
    expect((await answer(own, id)).status).toBe(303);
    await operate("removal uphold", "--removal", String(id), "--reason", "No");
  }
  const { status, headers } = await answer(own, id);
  expect([status, Number(headers["retry-after"]) > 0]).toEqual([429, true]);
});

test("answers that operators decide by commands stand in the case, and the list of answered ones empties", async () => {
  const { owner, id } = await takenDown();
  await answer(await service.enter(owner), id);
  const ids = async (state = "answered") =>
    (
      await operate<{ removals: { id: number }[] }>("removal list", "--state", state, "--limit", "1000")
    ).removals.map((one) => one.id);
  const { id: restored } = await takenDown();
  await operate("removal restore", "--removal", String(restored), "--reason", "A mistake");
  expect(await ids()).toContain(id);
  const [removed, back] = [await ids("removed"), await ids("restored")];
  expect([id, restored].map((one) => [removed.includes(one), back.includes(one)])).toEqual([
    [true, false],
    [false, true],
  ]);
  const given = ["--removal", String(id), "--reason", "Proven"];
  const both = await Promise.allSettled([
    operate("removal restore", ...given),
    operate("removal uphold", ...given),
  ]);
  expect(both.filter(({ status }) => status === "fulfilled").length).toBeGreaterThan(0);
  expect(await ids()).not.toContain(id);
  const { notices } = await operate<{ notices: { decision: string }[] }>(
    "removal show",
    "--removal",
    String(id),
  );
  expect(notices).toHaveLength(1);
});

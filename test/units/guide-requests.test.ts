import { expect, test } from "vitest";
import { runnable } from "../../functions/web/docs/guide-requests.ts";

const offered = (code: string) => runnable("", [{ language: "sh", code }], "code-1");

test.each([
  [`curl '{api_url}/me' -H "Authorization: OAuth $TOKEN"`, `data-path="/me" data-needs-token="true"`],
  [
    `curl -L -G "{api_url}/oembed" \\\n  -d limit=5 --data-urlencode "url={ANY_TRACK_PAGE}"`,
    `data-path="/oembed?limit=5&amp;url=TRACK_PAGE"`,
  ],
])("one GET request to the API is offered to run: %s", (code, attributes) => {
  expect(offered(code)).toBe(`<div class="sample" id="code-1" data-method="GET" ${attributes}></div>`);
});

test.each([
  `curl '{auth_url}/sign-out'`,
  `curl '{api_url}/tracks' -d title=A`,
  `curl -X PUT '{api_url}/me' -H "Authorization: OAuth $TOKEN"`,
  `curl -o original '{api_url}/me' -H "Authorization: OAuth $TOKEN"`,
  `curl '{api_url}/tracks/1?secret_token=$SECRET'`,
  `curl '{api_url}/me' | head -1`,
  `curl '{api_url}/me'\ncurl '{api_url}/tracks'`,
])("a block that does more is only shown: %s", (code) => {
  expect(offered(code)).toBe("");
});

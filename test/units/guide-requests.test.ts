import { expect, test } from "vitest";
import { runnable } from "../../functions/web/docs/guide-requests.ts";

const offered = (code: string) => runnable("", [{ language: "sh", code }], "code-1");

const JSON_TYPE = `-H 'Content-Type: application/json'`;

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
  [
    `curl "{api_url}/tracks/{ANY_TRACK_ID}/comments" -H "Authorization: OAuth $TOKEN" \\\n  ${JSON_TYPE} \\\n  -d '{"comment":\n {"body": "<{TRACK_ID}>"}}'`,
    `"POST" data-path="/tracks/TRACK_ID/comments" data-body="{&quot;comment&quot;:\n {&quot;body&quot;: &quot;&lt;TRACK_ID&gt;&quot;}}" data-needs-token="true"`,
  ],
  [
    `curl -X PUT '{api_url}/me' ${JSON_TYPE} -d '{"a":1}'`,
    `"PUT" data-path="/me" data-body="{&quot;a&quot;:1}"`,
  ],
  [`curl -s -X DELETE '{api_url}/me'`, `"DELETE" data-path="/me"`],
  [`curl -X POST '{api_url}/tracks/1/plays'`, `"POST" data-path="/tracks/1/plays"`],
])("one request that writes is offered with its body: %s", (code, attributes) => {
  expect(offered(code)).toBe(`<div class="sample" id="code-1" data-method=${attributes}></div>`);
});

test.each([
  `curl '{auth_url}/sign-out'`,
  `curl '{api_url}/tracks' -d title=A`,
  `curl '{api_url}/tracks' -F 'track[artwork_data]=@cover.png'`,
  `curl '{api_url}/releases' ${JSON_TYPE} -H 'Idempotency-Key: 1' -d '{"a":1}'`,
  `curl '{api_url}/me' ${JSON_TYPE} -d '{"at":"'"$AT"'"}'`,
  `curl '{api_url}/me' ${JSON_TYPE}`,
  `curl -X PUT '{api_url}/me'\ncurl '{api_url}/me'`,
  `curl -o original '{api_url}/me' -H "Authorization: OAuth $TOKEN"`,
  `curl '{api_url}/tracks/1?secret_token=$SECRET'`,
  `curl '{api_url}/me' | head -1`,
  `curl '{api_url}/me'\ncurl '{api_url}/tracks'`,
])("a block that does more is only shown: %s", (code) => {
  expect(offered(code)).toBe("");
});

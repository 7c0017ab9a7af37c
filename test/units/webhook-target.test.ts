import { expect, test } from "vitest";
import { isPublicAddress, targetProblem } from "../../functions/api/webhooks/target.ts";

const deployed = (url: string) => targetProblem(url, { anywhere: false });
const local = (url: string) => targetProblem(url, { anywhere: true });

test.each([
  "https://example.com",
  "https://example.com/hook?a=b%20c",
  "https://hooks.example.com:8443/x",
  "HTTPS://EXAMPLE.COM/",
  "https://xn--bcher-kva.example/",
  "https://localhost.example.com/",
  "https://10.example.com/",
  "https://1.1.1.1/",
  "https://8.8.8.8./",
  "https://[2606:4700:4700::1111]/",
  "https://172.15.0.1/",
  "https://172.32.0.1/",
  "https://100.63.255.255/",
  "https://100.128.0.0/",
  "https://223.255.255.255/",
])("%s is a valid target everywhere", (url) => {
  expect(deployed(url)).toBeUndefined();
  expect(local(url)).toBeUndefined();
});

test.each([
  "",
  "example.com",
  "//example.com/",
  "https:example.com",
  "https:/example.com",
  "https://",
  "https:///",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,x",
  "gopher://example.com/",
  " https://example.com/",
  "https://example.com/ x",
  "https://example.com/\n",
  "https://example.com\\@127.0.0.1/",
  "https://bücher.example/",
  "https://①②⑦.⓪.⓪.①/",
  "https://example.com:99999/",
  "https://[::1",
  "https://%31%32%37.0.0.1%00/",
  "https://user@example.com/",
  "https://user:password@example.com/",
  "https://example.com@127.0.0.1/",
  "https://example.com/#fragment",
])("%j is no target, not even locally (API7)", (url) => {
  expect(local(url)).toEqual(expect.any(String));
  expect(deployed(url)).toEqual(expect.any(String));
});

test.each(["http://example.com/", "http://127.0.0.1:8080/", "http://[::1]/"])(
  "%s is a target locally, where TLS is optional",
  (url) => {
    expect(local(url)).toBeUndefined();
    expect(deployed(url)).toBe("must begin with https://");
  },
);

const PRIVATE_HOSTS = [
  // Names.
  "localhost",
  "LOCALHOST",
  "localhost.",
  "a.localhost",
  "localhost.localdomain",
  "intranet",
  "metadata",
  "printer.local",
  "printer.local.",
  "db.internal",
  "metadata.google.internal",
  "router.lan",
  "nas.home.arpa",
  "wiki.corp",
  "nas.home",
  "x.intranet",
  "expyuzz4wqqyqhjn.onion",
  // IPv4, in every form that a URL takes.
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "127.0.0.1.",
  "0",
  "0.0.0.0",
  "%31%32%37.0.0.1",
  "127.255.255.255",
  "0x7f.0x0.0x0.0x1",
  "10.0.0.1",
  "10.255.255.255",
  "012.0.0.1",
  "167772161",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "0xc0a80001",
  "169.254.169.254",
  "0xa9fea9fe",
  "2852039166",
  "169.254.170.2",
  "100.64.0.1",
  "100.100.100.200",
  "100.127.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  // IPv6.
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[::ffff:8.8.8.8]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::a00:1]",
  "[100::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fdff:ffff::1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[2001::1]",
  "[2001:10::1]",
  "[2001:db8::1]",
  "[2002:7f00:1::]",
  "[2002:c0a8:1::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
];

test.each(PRIVATE_HOSTS)("a deployment sends nothing to %s (API7)", (host) => {
  for (const url of [`https://${host}/`, `https://${host}:8443/hook?x=1`])
    expect([url, deployed(url)]).toEqual([url, expect.any(String)]);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "2606:4700::6810:84e5",
  "2a00:1450:4001:82f::200e",
  "2001:4860:4860::8888",
  "2001:200::1",
])("the address %s from DNS is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "169.254.169.254",
  "::1",
  "::ffff:10.0.0.1",
  "::ffff:1.1.1.1",
  "fd00::1",
  "fe80::1",
  "2002:a00:1::",
  "",
  "example.com",
  "1.1.1.1/",
  "8.8.8.8@127.0.0.1",
  "fe80::1%eth0",
  "1.1.1.1 ",
])("%j is not a public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

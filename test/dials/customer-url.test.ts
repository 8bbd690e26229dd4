import { expect, test } from "vitest";
import { whyNotCallable } from "../../src/dials/customer-url.ts";

test.each([
  "https://example.com/hook",
  "https://hooks.example.com:8443/a?b=c#d",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://xn--bcher-kva.example/",
  "https://172.32.0.1/",
  "https://localhost.example.com/",
])("%s may be called", (url) => {
  expect(whyNotCallable(url, false)).toBeUndefined();
});

test.each([
  "",
  "example.com",
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "https://",
  "https://user:secret@example.com/",
  "https://user@example.com/",
  "https://localhost/",
  "https://LOCALHOST./",
  "https://api.localhost/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://intranet/",
  "https://router.home.arpa/",
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://127.0.0.1./",
  "https://0.0.0.0/",
  "https://10.1.2.3/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://100.64.0.1/",
  "https://198.18.0.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::127.0.0.1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[64:ff9b::a00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:53aa:64c::]/",
  "https://[fc00::1]/",
  "https://[fd12:3456::1]/",
  "https://[fe80::1]/",
  "https://[ff02::1]/",
  "https://①②⑦.⓪.⓪.①/",
])("%j may not be called", (url) => {
  expect(whyNotCallable(url, false)).toMatch(/^must /);
});

test.each(["http://localhost:3000/hook", "http://127.0.0.1/", "https://[::1]/", "https://intranet/"])(
  "whoever wants %s called is told which setting allows it",
  (url) => {
    expect(whyNotCallable(url, false)).toMatch(/ALLOW_PRIVATE_NETWORK=true$/);
  },
);

test("the setting is not named where it would not help", () => {
  expect(whyNotCallable("ftp://localhost/", false)).toBe("must begin with https://");
  expect(whyNotCallable("http://example.com/", false)).toBe("must begin with https://");
});

test("a deployment that allows private networks takes them, and http", () => {
  expect(whyNotCallable("http://127.0.0.1:3000/hook", true)).toBeUndefined();
  expect(whyNotCallable("ftp://127.0.0.1/", true)).toMatch(/https/);
  expect(whyNotCallable("http://user:secret@127.0.0.1/", true)).toMatch(/user name/);
});

// Authorization as the examples of the standards have it, and as cameras require it.
import { expect, test } from "vitest";
import { Authorization, challengesOf } from "./authentication.ts";

const MUFASA = { user: "Mufasa", password: "Circle of Life" };
const NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
const fields = (algorithm: string) =>
  `realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="${NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
const CLIENT_NONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";

test.each([
  ["MD5", "8ca523f5e9506fed4657c9700eebdbec"],
  ["SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"],
])("Digest with %s is that of RFC 7616, 3.9.1", (algorithm, response) => {
  const [challenge] = challengesOf([`Digest ${fields(algorithm)}`]);
  const header = challenge && new Authorization(MUFASA, challenge, CLIENT_NONCE).header("GET", "/dir/index.html");
  expect(header).toContain(`response="${response}"`);
  expect(header).toContain(`algorithm=${algorithm}, opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth`);
  expect(header).toContain(`nc=00000001, cnonce="${CLIENT_NONCE}"`);
});

test("without qop, Digest is that of RFC 2069, and has no fields that the challenge did not have", () => {
  const text = 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", stale="FALSE"';
  const [challenge] = challengesOf([text]);
  const credentials = { user: "Mufasa", password: "CircleOfLife" };
  expect(challenge && new Authorization(credentials, challenge).header("GET", "/dir/index.html")).toBe(
    'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea"',
  );
});

test("the strongest challenge comes first, whether they are in one header or in several", () => {
  const names = (headers: string[]) => challengesOf(headers).map(({ scheme, algorithm }) => `${scheme} ${algorithm}`);
  const all = ["digest SHA-256", "digest MD5", "basic MD5"];
  const [basic, md5, sha] = ['Basic realm="a"', `digest ${fields("md5")}`, `Digest ${fields('"SHA-256"')}`] as const;
  expect(names([basic, md5, sha])).toEqual(all);
  expect(names([[md5, basic, sha].join(", ")])).toEqual(all);
  expect(names([`Digest ${fields("SHA-512-256")}`, "Negotiate", ""])).toEqual([]);
});

test("Basic has the decoded name and password", () => {
  const [challenge] = challengesOf(['Basic realm="camera"']);
  const header =
    challenge && new Authorization({ user: "a", password: "b:ü" }, challenge).header("DESCRIBE", "rtsp://a/");
  expect(header).toBe(`Basic ${Buffer.from("a:b:ü").toString("base64")}`);
});

test("values of a challenge cannot begin another header", () => {
  const [challenge] = challengesOf(['Digest realm="a\\", nonce="b"']);
  const header = challenge && new Authorization(MUFASA, challenge).header("PLAY", "rtsp://a/");
  expect(header).not.toMatch(/[\r\n\\]/);
});

test("the greatest headers are read in linear time", () => {
  const worst = Array.from({ length: 100 }, () => 'Digest a="b",'.repeat(600));
  const since = performance.now();
  challengesOf(worst);
  challengesOf(worst.map(() => `Digest ${'a="'.repeat(2_500)}`));
  expect(performance.now() - since).toBeLessThan(5_000);
});

import { expect, test } from "vitest";
import { clientsOf, clientsProblem, listenerHostProblem, listenerProblems } from "./keyless-listener.ts";

const NAMES = { variable: "PARLANCE_WYOMING", protocol: "the Wyoming protocol", example: "Home Assistant" };
const problemsOf = (host: string, clients = "loopback", port = 10_300) =>
  listenerProblems({ ...NAMES, host, clients, port }, 8_080);

test.each(["*", "0.0.0.0", "::", "192.168.1.5", "example.org"])(
  "%s, which other machines reach, needs a list of clients",
  (host) => {
    expect(problemsOf(host)).toEqual([expect.stringMatching(/PARLANCE_WYOMING_CLIENTS/)]);
    expect(problemsOf(host, "none")).toHaveLength(1);
    expect(problemsOf(host, " loopback , ")).toHaveLength(1);
    expect(problemsOf(host, "192.168.1.20")).toEqual([]);
    expect(problemsOf(host, "*")).toEqual([]);
    expect(problemsOf(host, "loopback", 0)).toEqual([]);
  },
);

test.each(["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])(
  "%s, which this machine alone reaches, needs none",
  (host) => {
    expect(problemsOf(host)).toEqual([]);
    expect(problemsOf(host, "10.0.0.1")).toEqual([expect.stringMatching(/add loopback/)]);
  },
);

test("the port of the HTTP interface is refused", () => {
  expect(problemsOf("127.0.0.1", "loopback", 8_080)).toEqual([expect.stringMatching(/both 8080/)]);
});

test("clients are judged by their address, also where IPv6 sockets take them", () => {
  const mayConnect = clientsOf("192.168.1.20, 10.0.0.0/8, loopback");
  for (const address of ["192.168.1.20", "::ffff:192.168.1.20", "10.9.8.7", "127.0.0.1", "::1"]) {
    expect(mayConnect(address)).toBe(true);
  }
  for (const address of ["192.168.1.21", "172.17.0.1", "fe80::1", "", undefined])
    expect(mayConnect(address)).toBe(false);
  expect(clientsOf("*")("203.0.113.9")).toBe(true);
  expect(clientsOf("none")("127.0.0.1")).toBe(false);
});

test("values that cannot be used are explained", () => {
  expect(clientsProblem("192.168.1.20,private,*")).toBe("must be either * or a list");
  expect(clientsProblem("my-host")).toMatch(/my-host/);
  expect(clientsProblem("*")).toBeUndefined();
  expect(listenerHostProblem("unix:/run/wyoming.sock")).toMatch(/not supported/);
  expect(listenerHostProblem("127.0.0.1:10300")).toMatch(/without a port/);
});

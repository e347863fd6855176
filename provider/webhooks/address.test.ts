import { expect, test } from "vitest";
import { addressProblem, HostRefused, resolveHost, type WebhookSettings } from "./address.ts";

const settings: WebhookSettings = { allowedHosts: [] };
const resolving = (...addresses: string[]): WebhookSettings => ({
  allowedHosts: [],
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
});

test.each([
  ["hooks.example/x", "Enter an address like https://hooks.example/sealdesk"],
  ["ftp://hooks.example", "Enter an address like https://hooks.example/sealdesk"],
  ["http://hooks.example", "Enter an address that begins with https://"],
  ["https://me:secret@hooks.example", "Leave out user name and password: each delivery is signed"],
  ["https://hooks.example/#part", "Leave out what stands after #"],
  ["https://hooks.example:22/", "Leave out the port, or enter one from 1024 on"],
])("%s is no address of a webhook", (address, problem) => {
  expect(addressProblem(address, settings)).toBe(problem);
});

test.each(["https://hooks.example", "https://hooks.example:8443/a?b=c", "https://HOOKS.example"])(
  "%s can be one",
  (address) => {
    expect(addressProblem(address, settings)).toBeUndefined();
  },
);

test.each([
  "https://127.0.0.1/",
  "https://2130706433/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://127.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[0:0:0:0:0:ffff:10.0.0.1]/",
])("%s leads nowhere", async (address) => {
  await expect(resolveHost(new URL(address), settings)).rejects.toThrow(HostRefused);
});

test("a name resolves to its public addresses, and is refused if one of them is private", async () => {
  const url = new URL("https://hooks.example/");
  expect(await resolveHost(url, resolving("93.184.215.14"))).toEqual([{ address: "93.184.215.14", family: 4 }]);
  await expect(resolveHost(url, resolving("93.184.215.14", "10.0.0.1"))).rejects.toThrow(HostRefused);
  await expect(resolveHost(url, resolving("::ffff:10.0.0.1"))).rejects.toThrow(HostRefused);
  await expect(resolveHost(url, resolving())).rejects.toThrow(HostRefused);
  const failing = { allowedHosts: [], resolve: () => Promise.reject(new Error("ENOTFOUND")) };
  await expect(resolveHost(url, failing)).rejects.toThrow(HostRefused);
});

test("a host that the operator allows may be private and without TLS, at the port that is named or at all of them", async () => {
  const allowing = (host: string) => ({ ...resolving("10.0.0.1"), allowedHosts: [host] });
  const url = "http://hooks.internal:8080/";
  for (const host of ["hooks.internal", "hooks.internal:8080"]) {
    expect(addressProblem(url, allowing(host))).toBeUndefined();
    expect(await resolveHost(new URL(url), allowing(host))).toEqual([{ address: "10.0.0.1", family: 4 }]);
  }
  expect(addressProblem("http://hooks.internal/", allowing("hooks.internal:80"))).toBeUndefined();
  expect(addressProblem("http://hooks.internal/", allowing("hooks.internal:443"))).toBeDefined();
  for (const host of ["hooks.internal:8081", "internal", "other.internal"]) {
    expect(addressProblem(url, allowing(host))).toBe("Enter an address that begins with https://");
    await expect(resolveHost(new URL(url), allowing(host))).rejects.toThrow(HostRefused);
  }
});

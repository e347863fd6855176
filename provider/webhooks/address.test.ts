import { expect, test } from "vitest";
import { addressProblem, HostRefused, isPublic, resolveHost, type WebhookSettings } from "./address.ts";

const settings: WebhookSettings = { allowedHosts: [] };
const resolving = (...addresses: string[]): WebhookSettings => ({
  allowedHosts: [],
  resolve: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
});

test.each([
  ["127.0.0.1", "loopback"],
  ["127.255.0.9", "loopback"],
  ["0.0.0.0", "this network"],
  ["10.1.2.3", "private"],
  ["172.16.0.1", "private"],
  ["192.168.1.1", "private"],
  ["169.254.169.254", "metadata of clouds"],
  ["169.254.170.2", "metadata of containers"],
  ["168.63.129.16", "Azure's own"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.100.100.200", "Alibaba's metadata"],
  ["192.0.0.192", "Oracle's metadata"],
  ["198.18.0.1", "benchmarks"],
  ["192.0.2.7", "documentation"],
  ["224.0.0.1", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["::", "unspecified"],
  ["::1", "loopback"],
  ["::ffff:127.0.0.1", "IPv4 in IPv6"],
  ["::ffff:a9fe:a9fe", "IPv4 in IPv6"],
  ["::127.0.0.1", "IPv4 in IPv6, as it was once written"],
  ["64:ff9b::7f00:1", "NAT64"],
  ["64:ff9b:1::a00:1", "NAT64 within a network"],
  ["2002:7f00:1::", "6to4"],
  ["2001:0:1::1", "Teredo"],
  ["fd00:ec2::254", "Amazon's metadata"],
  ["fc00::1", "unique local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local with a zone"],
  ["fec0::1", "site-local"],
  ["ff02::1", "multicast"],
  ["2001:db8::1", "documentation"],
  ["no address", "no address"],
])("%s is not public: %s", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each(["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])(
  "%s is public",
  (address) => {
    expect(isPublic(address)).toBe(true);
  },
);

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

test("a name leads to its public addresses, and nowhere where one of them is private", async () => {
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

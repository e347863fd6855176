import { expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";

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
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450:4001:81b::200e"])(
  "%s is public",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test.each([
  "169.254.169.254",
  "127.0.0.1",
  "127.1.2.3",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "0.0.0.0",
  "224.0.0.1",
  "255.255.255.255",
  "192.0.2.1",
  "198.18.0.1",
  "::1",
  "::",
  "[::ffff:127.0.0.1]",
  "::ffff:10.0.0.1",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  "fe80::1%eth0",
  "fec0::1",
  "fc00::1",
  "ff02::1",
  "2001:db8::1",
  "localhost",
  "",
])("%s is not a public address", (address) => expect(isPublicAddress(address)).toBe(false));

test.each(["93.184.215.14", "8.8.8.8", "2606:4700::1111", "[2a00:1450::1]"])("%s is a public address", (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

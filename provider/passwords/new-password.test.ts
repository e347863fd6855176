import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { passwordRefusal } from "./new-password.ts";

const texts = ["Helen Hallam", "helen.hallam@hallam.example", "Hallam & Partners", "Preston North"];

test.each([
  "correct horse battery",
  "a new and longer one",
  "tangerine-wardrobe-71",
  "blue kettle on the stove",
  "mijn fiets is gestolen",
  "李雷和韩梅梅在图书馆里读书",
  "kX9#vTq2$mLp",
  "_:-}{~^>|?/.,",
])("the password %j is accepted", async (password) => {
  expect(await passwordRefusal(password, texts)).toBeUndefined();
});

test.each([
  "Hallam & Partners",
  "PrestonNorth1",
  "helen hallam 1",
  "SEALDESK Helen 2026",
  "hallam.example",
  "helen.hallam@hallam.example!",
])("the password %j is refused, as it is made of what belongs to the user", async (password) => {
  expect(await passwordRefusal(password, texts)).toMatch(/^Leave out the name, email address, company and branch/);
});

test("only the first 64 characters of a password are estimated", async () => {
  const weak = "password".repeat(8);
  expect(await passwordRefusal(weak, [])).toMatch(/^This password is easy to guess/);
  expect(await passwordRefusal(`${weak} tangerine wardrobe`, [])).toMatch(/^This password is easy to guess/);
});

test("the most expensive passwords and longest names are estimated", async () => {
  const hostile = ["a@4s$5o0l1i!", "1!|l7+t", "4@8({[<3€&#6", "vvwwuuvv"].map((text) => text.repeat(19).slice(0, 128));
  const long = Array.from({ length: 4 }, (_, n) => `${n} @4s$5 `.repeat(32));
  const refusals = await Promise.all(hostile.map((password) => passwordRefusal(password, long)));
  expect(refusals).toHaveLength(hostile.length);
});

test("a new process replaces one that ended", async () => {
  await passwordRefusal("correct horse battery", []);
  const children = execFileSync("pgrep", ["-P", String(process.pid), "-f", "sealdesk password"], { encoding: "utf8" });
  for (const pid of children.trim().split("\n")) process.kill(Number(pid), "SIGKILL");
  expect(await passwordRefusal("qwertyuiopas", [])).toMatch(/^This password is easy to guess/);
});

import { describe, expect, test } from "vitest";
import { statedAmount } from "./amounts.ts";

describe("the amount that a custom field states", () => {
  test.each([
    ["10000", 10_000],
    ["10,000", 10_000],
    ["10.000", 10_000],
    ["10 000", 10_000],
    ["10.000,50", 10_000.5],
    ["10,000.50", 10_000.5],
    ["1.234.567", 1_234_567],
    ["450.00", 450],
    ["450,5", 450.5],
    ["EUR 10000", 10_000],
    ["10000 usd", 10_000],
    ["€10’000.00", 10_000],
    ["-10000", 10_000],
    ["١٠٠٠٠", 10_000],
    ["１０,０００", 10_000],
  ])("%s is read in full", (text, amount) => expect(statedAmount(text)).toBe(amount));

  test.each([
    "",
    "ten",
    "10k",
    "10⁴",
    "1e9",
    "5 mln",
    "5 of 10000",
    "1/2",
    "½",
    "10000 EUR net",
    "Ⅻ",
    "10..000",
    "0x10",
  ])("%s is no plain number", (text) => expect(statedAmount(text)).toBeUndefined());
});

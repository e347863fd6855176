import { expect, test } from "vitest";
import { amountIn } from "./amounts.ts";

test.each([
  ["€1,234.56", 1234.56],
  ["1.234,56 €", 1234.56],
  ["EUR 1 234,56", 1234.56],
  ["1'234.50 CHF", 1234.5],
  ["US$ 99.00", 99],
  ["1 234,56 zł", 1234.56],
  ["12 500,00 грн.", 12500],
  ["₺1.250,00", 1250],
  ["₹1,23,456.00", 123456],
  ["R$ 1.000,00", 1000],
  ["¥12,000", 12000],
  ["1,500.00 ر.س", 1500],
  ["1234.56 PLN", 1234.56],
])("“%s” is an amount", (text, size) => expect(amountIn(text)).toEqual({ size, hasCurrency: true }));

test("an amount without a currency is told apart, other texts are none", () => {
  expect(amountIn("1,234.56")).toEqual({ size: 1234.56, hasCurrency: false });
  for (const text of ["EUR", "EUR 12 USD", "3 pages", "12.5 %", "+49 30 123"]) expect(amountIn(text)).toBeUndefined();
});

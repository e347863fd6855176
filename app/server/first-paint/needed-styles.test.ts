import { expect, test } from "vitest";
import { neededStyles } from "./needed-styles.ts";

const needed = (sheet: string, page: string) => neededStyles(sheet)(page).replaceAll(/\s/g, "");

test("what has no class stays, whatever it is", () => {
  const sheet =
    ':root{--a:1}@font-face{font-family:"X"}@property --b{inherits:false}@keyframes c{from{top:0}}a:hover,[data-x]{top:1px}';
  expect(needed(sheet, "<p></p>")).toBe(sheet.replaceAll(/\s/g, ""));
});

test("a rule goes whose every selector is about classes that no element has", () => {
  const page = '<p class="a b"></p><p class="sm:c"></p>';
  expect(needed(".a.b{top:0}.a .d{top:1px}.a,.d{top:2px}.sm\\:c{top:3px}", page)).toBe(
    ".a.b{top:0}.a,.d{top:2px}.sm\\:c{top:3px}",
  );
});

test("classes that an element may or must not have decide nothing", () => {
  const sheet = ".a:not(.d){top:0}:is(.d,.e:has(.f)) .a{top:1px}";
  expect(needed(sheet, '<p class="a"></p>')).toBe(sheet.replaceAll(/\s/g, ""));
});

test("a class is known by whatever characters it has, and text in quotes is none", () => {
  const sheet =
    ".xl\\:grid-\\[24rem_minmax\\(0\\,1fr\\)\\]{top:0}.\\[\\&\\>svg\\]\\:b{top:1px}.\\32 xl{top:2px}.a[href$='.pdf']{top:3px}";
  const page = '<p class="a xl:grid-[24rem_minmax(0,1fr)]"></p><p class="[&amp;&gt;svg]:b"></p>';
  expect(needed(sheet, page)).toBe(sheet.replaceAll(/\s/g, ""));
  expect(needed(sheet, "<p></p>")).toBe(".\\32xl{top:2px}");
});

test("groups and layers stay where they come first, so that their order does", () => {
  const sheet = "@layer x,y;@layer y{.a{top:0}@media(width>=1px){.d{top:1px}}}@layer x{.d{top:2px}}";
  expect(needed(sheet, '<p class="a"></p>')).toBe("@layerx,y;@layery{.a{top:0}@media(width>=1px){}}@layerx{}");
});

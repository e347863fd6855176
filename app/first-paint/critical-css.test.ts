import { expect, test } from "vitest";
import { criticalCss } from "./critical-css.ts";

const critical = (sheet: string, html: string) => criticalCss(sheet)(html).replaceAll(/\s/g, "");

test("rules without a class stay", () => {
  const sheet =
    ':root{--a:1}@font-face{font-family:"X"}@property --b{inherits:false}@keyframes c{from{top:0}}a:hover,[data-x]{top:1px}';
  expect(critical(sheet, "<p></p>")).toBe(sheet.replaceAll(/\s/g, ""));
});

test("a rule is dropped if each of its selectors requires a class that no element has", () => {
  const html = '<p class="a b"></p><p class="sm:c"></p>';
  expect(critical(".a.b{top:0}.a .d{top:1px}.a,.d{top:2px}.sm\\:c{top:3px}", html)).toBe(
    ".a.b{top:0}.a,.d{top:2px}.sm\\:c{top:3px}",
  );
});

test("classes within functional pseudo-classes are not required", () => {
  const sheet = ".a:not(.d){top:0}:is(.d,.e:has(.f)) .a{top:1px}";
  expect(critical(sheet, '<p class="a"></p>')).toBe(sheet.replaceAll(/\s/g, ""));
});

test("class names may contain escaped characters, and quoted text is no class", () => {
  const sheet =
    ".xl\\:grid-\\[24rem_minmax\\(0\\,1fr\\)\\]{top:0}.\\[\\&\\>svg\\]\\:b{top:1px}.\\32 xl{top:2px}.a[href$='.pdf']{top:3px}";
  const html = '<p class="a xl:grid-[24rem_minmax(0,1fr)]"></p><p class="[&amp;&gt;svg]:b"></p>';
  expect(critical(sheet, html)).toBe(sheet.replaceAll(/\s/g, ""));
  expect(critical(sheet, "<p></p>")).toBe(".\\32xl{top:2px}");
});

test("empty groups and layers stay, so that layers keep their order", () => {
  const sheet = "@layer x,y;@layer y{.a{top:0}@media(width>=1px){.d{top:1px}}}@layer x{.d{top:2px}}";
  expect(critical(sheet, '<p class="a"></p>')).toBe("@layerx,y;@layery{.a{top:0}@media(width>=1px){}}@layerx{}");
});

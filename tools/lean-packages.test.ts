import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leanManifest } from "./lean-manifest.ts";
import { withoutUnused } from "./lean-packages.ts";

const router = join(import.meta.dirname, "../node_modules/react-router/dist/production");

test("the router's unused functions are emptied, and it is still a module", () => {
  const files = readdirSync(router).filter((name) => /^chunk-\w+\.mjs$/.test(name));
  const code = files
    .map((name) => readFileSync(join(router, name), "utf8"))
    .find((text) => text.includes("function isFogOfWarEnabled("))!;
  const lean = withoutUnused(code);
  expect(lean).toContain("\nfunction usePrefetchBehavior() {\n  return [false, undefined, {}];\n}\n");
  expect(lean.length).toBeLessThan(code.length - 4000);
  expect(lean.match(/^export \{/gm)).toEqual(code.match(/^export \{/gm));
});

test("a router without one of them fails the build", () => {
  expect(() => withoutUnused("\nfunction isFogOfWarEnabled() {\n}\n")).toThrow("has no function getPartialManifest");
});

const route = {
  parentId: "root",
  path: "help",
  hasAction: false,
  hasLoader: true,
  hasDefaultExport: true,
  module: "m.js",
};
const manifest = (routes: object) =>
  `window.__reactRouterManifest=${JSON.stringify({ entry: {}, routes, version: "1" })};`;

test("the browser's routes are pages, addresses that redirect to them, and what forms are posted to", () => {
  const routes = {
    root: { ...route, parentId: undefined, path: "", hasDefaultExport: false },
    help: { ...route, imports: ["frame.js"], css: [] },
    home: { ...route, parentId: "layout", hasDefaultExport: false },
    theme: { ...route, hasDefaultExport: false, hasAction: true },
    file: { ...route, hasDefaultExport: false },
    csv: { ...route, parentId: "layout", path: "list.csv", hasDefaultExport: false },
  };
  const lean = JSON.parse(leanManifest(manifest(routes)).slice("window.__reactRouterManifest=".length, -1));
  expect(Object.keys(lean.routes)).toEqual(["root", "help", "home", "theme"]);
  expect(lean.routes.help).toEqual({
    parentId: "root",
    path: "help",
    hasLoader: true,
    hasDefaultExport: true,
    module: "m.js",
  });
  expect(lean.version).toBe("1");
});

test("a manifest that is written in another way fails the build", () => {
  expect(() => leanManifest("export default {}")).toThrow("another way");
});

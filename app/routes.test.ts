import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { expect, test } from "vitest";
import routes from "./routes.ts";

// Mails, QR codes, other programs and browsers lead to these.
const outside = new Set(["/signup", "/confirm-email", "/sign-in-link", "/received/open"]);

test("something leads to each page", async () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: import.meta.dirname })
    .filter((name) => name !== "routes.ts" && !/\.test\.tsx?$/.test(name))
    .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
    .join("\n");
  const isNamed = (path: string) => new RegExp(`["\`]${path}["\`?#$]`).test(sources);
  expect(pagesOf(await routes).filter((path) => !outside.has(path) && !isNamed(path))).toEqual([]);
});

/** The paths of pages without a parameter, from the root. */
const pagesOf = (entries: RouteConfigEntry[], parent = ""): string[] =>
  entries.flatMap(({ path, file, index, children = [] }) => {
    const whole = path ? `${parent}/${path}` : parent;
    const isPage = (path || index) && file.endsWith(".tsx") && !whole.includes(":") && !whole.includes("*");
    return [...(isPage ? [whole || "/"] : []), ...pagesOf(children, whole)];
  });

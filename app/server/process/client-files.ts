import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathOf } from "../request/target.ts";

const folder = resolve("build/client");
const paths = new Set(
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => pathOf(`/${name}`))
    : [],
);

/** Whether an address is that of a file of the build, which browsers fetch as it is. */
export const isClientFile = (url: string | undefined): boolean => paths.has(pathOf(url));

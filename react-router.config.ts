import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { leanManifest } from "./tools/lean-manifest.ts";

export default {
  ssr: true,
  // One manifest with every page: no request to discover routes while a clerk navigates.
  routeDiscovery: { mode: "initial" },
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
  buildEnd({ reactRouterConfig }) {
    const folder = join(reactRouterConfig.buildDirectory, "client/assets");
    const file = join(
      folder,
      readdirSync(folder).find((name) => /^manifest-\w+\.js$/.test(name))!,
    );
    writeFileSync(file, leanManifest(readFileSync(file, "utf8")));
  },
} satisfies Config;

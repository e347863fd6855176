import type { Config } from "@react-router/dev/config";

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
} satisfies Config;

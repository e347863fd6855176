import type { Config } from "@react-router/dev/config";

/** The framework as it comes, for `bare-server.ts` to serve pages that ours are held against. */
export default {
  ssr: true,
  future: {
    v8_middleware: true,
    v8_splitRouteModules: true,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;

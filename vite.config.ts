import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { config } from "./config.ts";

/**
 * What every page behind the sign-in has, and what most of them do: in one file, because each more is one more request on
 * a slow line and packs worse. What few pages have stays in files of its own.
 */
const frame = [
  /\/node_modules\/(react|react-dom|react-router|scheduler)\//,
  /\/lucide-react\/dist\/esm\/(?!icons\/)/,
  /\/lucide-react\/dist\/esm\/icons\/(arrow-left|arrow-up|arrow-down|pencil|download|trash|plus|chevron-down|chevron-left|chevron-right|sliders-horizontal)\./,
  /\/app\/(root|app-links|server\/theme|routes\/signed-in\/(layout|logout)|routes\/documents\/document-table)\./,
  /\/app\/components\/(brand|connection|dialog|error-summary|focus-restore|nonce|notice|page-title|problem|row-action|sidebar|theme-switch|topbar)\./,
  /\/app\/components\/(empty|filters|format|list-panel|loading|pagination|table|table-rows)\./,
  /\/app\/components\/(facts|field|form-foot|history|main-submit|qr-code|status-chip|tabs)\.|preload-helper|use-hydrated/,
];

/** What the forms with a document's fields share: too small to be a file each. */
const documentFields = /\/app\/routes\/documents\/(errors|placing-fields)\.|\/contract\/document-options\./;

/** Builds 0.6 kB gz (the router's for production) and 1.6 kB gz (Leaflet's as a module) smaller than the usual ones. */
const leanFiles: Record<string, string> = {
  "react-router": "react-router/dist/production/index.mjs",
  "react-router/dom": "react-router/dist/production/dom-export.mjs",
  leaflet: "leaflet/dist/leaflet-src.esm.js",
};

const leanPackages: Plugin = {
  name: "lean-packages",
  enforce: "pre",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  resolveId(id) {
    const file = leanFiles[id];
    return file && join(import.meta.dirname, "node_modules", file);
  },
};

/**
 * Packages of many modules that the server has in its own file, with what they need: read one by one they would make its
 * start 1.3 s instead of 0.9 s.
 */
const bundled = [
  /^(kysely|lucide-react|nodemailer|postcss|prom-client|qrcode|rate-limiter-flexible)(\/|$)/,
  // What those need.
  /^(@opentelemetry\/api|bintrees|nanoid|picocolors|source-map-js|tdigest)(\/|$)/,
  /zod|hono|@conform-to|@math\.gl/,
];

export default defineConfig(({ command }) => ({
  plugins: [leanPackages, tailwindcss(), reactRouter()],
  // Inlined files would be data: addresses, which the pages' policy forbids for fonts and scripts.
  build: { assetsInlineLimit: 0 },
  environments: {
    // What the server serves: the router's build and what is known only at start.
    ssr: {
      build: { rollupOptions: { input: "./app/serve.ts" } },
      // The development server's own loader reads no CommonJS.
      ...(command === "build" && { resolve: { noExternal: bundled } }),
    },
    client: {
      build: {
        rolldownOptions: {
          // Leaflet's pictures and videos over maps, which no page has: 0.7 kB gz.
          treeshake: { manualPureFunctions: ["Layer.extend", "ImageOverlay.extend"] },
          output: {
            codeSplitting: {
              groups: [
                { name: "frame", test: (id) => frame.some((part) => part.test(id)) },
                { name: "document-fields", test: documentFields },
              ],
            },
          },
        },
      },
    },
  },
  ...(command === "serve" && { server: { host: config().HOST, port: config().PORT, strictPort: true } }),
}));

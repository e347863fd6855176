import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { config } from "./config.ts";

/**
 * Modules in the one file that every signed-in page loads: the layout and what most pages use. Each further file is one
 * more request on a slow line and compresses worse; a list made by counting pages exceeded the budgets
 * (`docs/decisions/first-paint.md`).
 */
const frame = [
  /\/node_modules\/(react|react-dom|react-router|scheduler)\//,
  /\/lucide-react\/dist\/esm\/(?!icons\/)/,
  /\/lucide-react\/dist\/esm\/icons\/(arrow-left|arrow-up|arrow-down|pencil|download|trash|plus|chevron-down|chevron-left|chevron-right|sliders-horizontal)\./,
  /\/app\/(root|app-links|server\/theme|routes\/signed-in\/(layout|logout)|routes\/documents\/document-table)\./,
  /\/app\/components\/(brand|connection|dialog|error-summary|keyboard-place|nonce|notice|page-title|problem|row-action|sidebar|theme-switch|topbar)\./,
  /\/app\/components\/(empty|filters|format|list-panel|loading|pagination|table)\./,
  /\/app\/first-paint\//,
  /\/app\/components\/(facts|field|form-foot|history|main-submit|qr-code|status-chip|tabs)\.|preload-helper|use-hydrated/,
];

/** Shared by the forms with a document's fields, and too small to be a file each. */
const documentFields = /\/app\/routes\/documents\/(errors|placing-fields)\.|\/contract\/document-options\./;

/** The router's production build, 0.6 kB gz smaller than the one that its package exports to bundlers. */
const leanRouter: Plugin = {
  name: "lean-router",
  enforce: "pre",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  resolveId(id) {
    const file = { "react-router": "index.mjs", "react-router/dom": "dom-export.mjs" }[id];
    return file && join(import.meta.dirname, "node_modules/react-router/dist/production", file);
  },
};

/** Packages of many modules, bundled into the server: loaded one by one, they make its start 1.3 s instead of 0.9 s. */
const bundled = [
  /^(kysely|lucide-react|nodemailer|postcss|prom-client|qrcode|rate-limiter-flexible)(\/|$)/,
  // Their dependencies.
  /^(@opentelemetry\/api|bintrees|nanoid|picocolors|source-map-js|tdigest)(\/|$)/,
  /zod|hono|@conform-to/,
];

export default defineConfig(({ command }) => ({
  plugins: [leanRouter, tailwindcss(), reactRouter()],
  // The Content-Security-Policy forbids data: URLs for fonts and scripts.
  build: { assetsInlineLimit: 0 },
  environments: {
    ssr: {
      build: { rollupOptions: { input: "./app/serve.ts" } },
      // The development server cannot bundle CommonJS.
      ...(command === "build" && { resolve: { noExternal: bundled } }),
    },
    client: {
      build: {
        rolldownOptions: {
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

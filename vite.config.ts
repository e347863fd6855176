import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { config } from "./lib/config.ts";
import { staffLanguage } from "./lib/messages/staff-language.ts";
import { inlineMessages } from "./tools/inline-messages.ts";

/**
 * Modules in the one file that every signed-in page loads: the layout and what most pages use. Each further file is one
 * more request on a slow line and compresses worse; a list made by counting pages exceeded the budgets
 * (`docs/decisions/first-paint.md`).
 */
const frame = [
  /\/node_modules\/(react|react-dom|react-router|scheduler)\//,
  /\/lucide-react\/dist\/esm\/icons\/(arrow-left|arrow-up|arrow-down|pencil|download|trash|plus|chevron-down|chevron-left|chevron-right|sliders-horizontal)\./,
  /\/app\/(root|app-links|server\/theme|routes\/signed-in\/layout)\./,
  /\/app\/components\/(back-link|brand|connection|dialog|error-summary|form|list-address|navigation|nonce|notice|page-title|problem|row-action|sidebar|theme-switch|topbar)\./,
  /\/app\/components\/(empty|format|loading|message-elements|state-words|table)\./,
  /\/(app\/first-paint\/|messages\/language-names)/,
  /\/app\/components\/(checkbox-field|facts|field|form-state|history|required-legend|default-submit|qr-code|status-chip|tabs|with-calendar)\.|preload-helper|use-hydrated/,
];

/** What forms, lists and tables of scans share: too small to be a file each. */
const shared = {
  lists: /\/app\/components\/(filter-control|filters|list-panel|pagination)\./,
  scans: /\/app\/components\/(alert-cell|alert-words|state-chip)\./,
  places: /\/app\/components\/(place-quality|scan-place)\./,
  "form-foot": /\/app\/components\/(dialog-button|form-foot)\./,
  "record-fields": /\/app\/components\/(record-fields|record-tables)\./,
  "record-sections": /\/app\/components\/(choice-field|conflict|form-page|record-sections)\./,
  "record-editor": /\/app\/components\/(image-field|record-editor)\./,
};

/** Packages of many modules, bundled into the server: loaded one by one, they make its start 1.3 s instead of 0.9 s. */
const bundled = [
  /^(kysely|lucide-react|nodemailer|postcss|prom-client|qrcode|rate-limiter-flexible)(\/|$)/,
  // Their dependencies.
  /^(@opentelemetry\/api|bintrees|nanoid|picocolors|source-map-js|tdigest)(\/|$)/,
  /zod|hono|@conform-to|@math\.gl/,
];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), inlineMessages(staffLanguage)],
  // Inlined files would be data: addresses, which the pages' policy forbids for fonts and scripts.
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
          // Leaflet's pictures and videos over maps, which no page has: 0.7 kB gz.
          treeshake: { manualPureFunctions: ["Layer.extend", "ImageOverlay.extend"] },
          output: {
            codeSplitting: {
              groups: [
                { name: "frame", test: (id) => frame.some((part) => part.test(id)) },
                ...Object.entries(shared).map(([name, test]) => ({ name, test })),
              ],
            },
          },
        },
      },
    },
  },
  ...(command === "serve" && { server: { host: config().HOST, port: config().PORT, strictPort: true } }),
}));

import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { config } from "./config.ts";

const frame =
  /lucide-react\/dist\/esm\/(createLucideIcon|Icon|context|defaultAttributes|shared|icons\/(arrow-left|arrow-up|arrow-down|pencil|download|trash))|react-dom\/(index|cjs\/react-dom\.)|use-hydrated|app\/app-links|components\/(sidebar|row-action|topbar|brand|theme-switch|dialog|problem|page-title|notice|keyboard-place|connection|error-summary)\.|signed-in\/(layout|page|logout)\.|server\/theme/;

/** What all lists have. */
const lists = /components\/(empty|loading|list-panel|filters)\./;

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  // Inlined files would be data: addresses, which the pages' policy forbids.
  build: { assetsInlineLimit: 0 },
  environments: {
    // What the server serves: the router's build and what is known only at start.
    ssr: { build: { rollupOptions: { input: "./app/serve.ts" } } },
    // What many pages have, in files that compress better than a dozen each.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: "frame", test: frame },
                { name: "table", test: /components\/table(-rows)?\./ },
                { name: "lists", test: lists },
              ],
            },
          },
        },
      },
    },
  },
  ...(command === "serve" && { server: { host: config().HOST, port: config().PORT, strictPort: true } }),
}));

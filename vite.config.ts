import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { config } from "./config.ts";

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  // Inlined files would be data: addresses, which the pages' policy forbids.
  build: { assetsInlineLimit: 0 },
  // What the server serves: the router's build and what is known only at start.
  environments: { ssr: { build: { rollupOptions: { input: "./app/serve.ts" } } } },
  ...(command === "serve" && { server: { host: config().HOST, port: config().PORT, strictPort: true } }),
}));

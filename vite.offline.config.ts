import { defineConfig } from "vite";
import { staffLanguage } from "./lib/messages/staff-language.ts";
import { inlineMessages } from "./tools/inline-messages.ts";

/** Builds the offline check into the browsers' files under fixed names, which its service worker keeps. */
export default defineConfig({
  base: "/check-files/",
  plugins: [inlineMessages(staffLanguage)],
  build: {
    outDir: "build/client/check-files",
    copyPublicDir: false,
    target: "es2022",
    // An inlined file would be a data: address, which the page's policy forbids.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { app: "app/offline/main.tsx" },
      output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
    },
  },
});

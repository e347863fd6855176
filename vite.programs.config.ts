import { defineConfig } from "vite";
import { staffLanguage } from "./lib/messages/staff-language.ts";
import { inlineMessages } from "./tools/inline-messages.ts";

/** Builds what runs beside the server into its folder: the command line, the processes for pages and passwords. */
export default defineConfig({
  plugins: [inlineMessages(staffLanguage)],
  build: {
    ssr: true,
    outDir: "build/server",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "node22",
    rollupOptions: {
      input: {
        cli: "commands/cli.ts",
        "page-worker": "lib/page-files/process/process.ts",
        "password-strength": "provider/passwords/strength-process.ts",
      },
      // The server looks for the process in its own folder.
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

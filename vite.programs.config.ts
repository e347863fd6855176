import { defineConfig } from "vite";

/** Builds what runs beside the server into its folder: the command line and the worker that opens page files. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: "build/server",
    emptyOutDir: false,
    copyPublicDir: false,
    target: "node22",
    rollupOptions: {
      input: { cli: "provider/cli.ts", "page-worker": "page-files/worker.ts" },
      // Beside the worker, which whoever starts it looks for in the same folder.
      output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
    },
  },
});

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { config, environment } from "./lib/config.ts";
import { staffLanguage } from "./lib/messages/staff-language.ts";
import { inlineMessages } from "./tools/inline-messages.ts";

/** `npm run build` makes three builds: the app, the programs beside it (`--mode programs`) and the offline check (`--mode offline`). */
const builds: Record<string, UserConfig> = {
  app: {
    plugins: [tailwindcss(), reactRouter()],
    build: {
      // Inlined files would be data: addresses, which the pages' policy forbids for fonts and scripts.
      assetsInlineLimit: 0,
      // Older than the floor (README): written so, rules that those browsers lack cost nothing.
      cssTarget: ["chrome99", "firefox97", "safari15.4"],
    },
    environments: {
      ssr: { build: { rollupOptions: { input: "./app/serve.ts" } } },
      client: {
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: {
                groups: [
                  // What every signed-in page loads, in one file.
                  { name: "frame", test: /\/(entry\.client|app\/root|routes\/signed-in\/layout)\.tsx/, priority: 2 },
                  { name: "components", test: /\/app\/components\//, minShareCount: 20, priority: 1 },
                ],
              },
            },
          },
        },
      },
    },
  },
  /** What runs beside the server, in the server's folder. */
  programs: {
    plugins: [labelFonts()],
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
        // The server looks for the processes in its own folder.
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js" },
      },
    },
  },
  /** The offline check, under fixed names, which its service worker keeps. */
  offline: {
    base: "/check-files/",
    build: {
      outDir: "build/client/check-files",
      copyPublicDir: false,
      target: "es2022",
      // As above.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: { app: "app/offline/main.tsx" },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js", assetFileNames: "[name][extname]" },
      },
    },
  },
};

/** Fonts that labels are drawn with are files, beside the program that opens them. */
function labelFonts(): Plugin {
  const folder = "lib/page-files/labels/scripts";
  return {
    name: "label-fonts",
    generateBundle() {
      for (const name of readdirSync(folder).filter((name) => name.endsWith(".ttf"))) {
        this.emitFile({ type: "asset", fileName: `scripts/${name}`, source: readFileSync(`${folder}/${name}`) });
      }
    },
  };
}

/** The commit that is built; an image's build has no repository, and is given it. */
function commit() {
  if (environment.COMMIT) return environment.COMMIT;
  try {
    return execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}

export default defineConfig(({ command, mode }) => {
  const { plugins = [], ...build } = builds[mode] ?? builds.app!;
  return {
    ...build,
    define: { BUILD_COMMIT: JSON.stringify(commit()) },
    plugins: [...plugins, inlineMessages(staffLanguage)],
    ...(command === "serve" && { server: { host: config().HOST, port: config().PORT, strictPort: true } }),
  };
});

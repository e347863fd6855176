import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * Makes what browsers fetch of packages smaller. Every page loads these parts, and the scripts of a page shall not exceed
 * 130 kB gz (`tests/bench/scripts.ts`). A part that a new version of a package no longer has fails the build.
 */

const root = join(import.meta.dirname, "..");

/** Builds 0.6 kB gz (the router's for production) and 1.6 kB gz (Leaflet's as a module) smaller than the usual ones. */
const leanFiles: Record<string, string> = {
  "react-router": "react-router/dist/production/index.mjs",
  "react-router/dom": "react-router/dist/production/dom-export.mjs",
  leaflet: "leaflet/dist/leaflet-src.esm.js",
};

const smallerBuilds: Plugin = {
  name: "smaller-builds",
  enforce: "pre",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  resolveId(id) {
    const file = leanFiles[id];
    return file && join(root, "node_modules", file);
  },
};

/**
 * What the router does only with options that we do not set, with what each function returns without them: discovery of
 * routes (`react-router.config.ts`), `prefetch` on links, server components, instrumentation, view transitions, routers
 * without data, and the page of an error that no route shows, as the root has one. 4 kB gz.
 */
const unusedInRouter: Record<string, string> = {
  isFogOfWarEnabled: "false",
  getPartialManifest: "{}",
  getPatchRoutesOnNavigationFunction: "undefined",
  useFogOFWarDiscovery: "undefined",
  usePrefetchBehavior: "[false, undefined, {}]",
  PrefetchPageLinks: "null",
  DefaultErrorComponent: "null",
  useViewTransitionState: "false",
  useNavigateUnstable: "undefined",
  RSCErrorHandler: "null",
  instrumentClientSideRouter: "undefined",
  getRouteInstrumentationUpdates: "{}",
};

/** The router's code with those functions emptied. */
export function withoutUnused(code: string): string {
  return Object.entries(unusedInRouter).reduce((rest, [name, value]) => {
    const start = rest.indexOf(`\nfunction ${name}(`);
    // A function at the top level ends with the first bracket that stands alone.
    const end = rest.indexOf("\n}\n", start);
    if (start < 0 || end < 0) throw new Error(`react-router has no function ${name} any more (tools/lean-packages.ts)`);
    return `${rest.slice(0, start)}\nfunction ${name}() {\n  return ${value};${rest.slice(end)}`;
  }, code);
}

const usedRouter: Plugin = {
  name: "used-router",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/react-router\/dist\/production\/chunk-\w+\.mjs$/, code: "function isFogOfWarEnabled(" },
    handler: (code) => ({ code: withoutUnused(code), map: null }),
  },
};

/**
 * Icons made by `app/components/icon.ts`, without lucide-react's own code for options that we do not set and without React's
 * keys of their parts: 2 kB gz. On the server as well, whose markup has to be the same.
 */
const leanIcons: Plugin = {
  name: "lean-icons",
  enforce: "pre",
  apply: "build",
  resolveId: (id) => (id === "../createLucideIcon.mjs" ? join(root, "app/components/icon.ts") : undefined),
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({ code: code.replaceAll(/, key: "\w+"/g, ""), map: null }),
  },
};

/**
 * What loads a module when it is first used, once its style sheets are there: Vite's own way also tells the page of failures
 * and looks for nonces, which our policy does not ask of files. 0.5 kB gz.
 */
const leanPreload: Plugin = {
  name: "lean-preload",
  enforce: "pre",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  load: (id) => (id === "\0vite/preload-helper.js" ? preloadingBeside : undefined),
};

const preloadingBeside = `
  const loading = {};
  const loaded = (file) => new Promise((resolve, reject) => {
    const isStyle = file.endsWith(".css");
    const link = Object.assign(document.createElement("link"), {
      rel: isStyle ? "stylesheet" : "modulepreload",
      href: "/" + file,
      onload: resolve,
      onerror: reject,
    });
    document.head.append(link);
    if (!isStyle) resolve();
  }).catch((error) => {
    loading[file] = undefined;
    throw error;
  });
  export const __vitePreload = async (load, files = []) => {
    await Promise.all(files.map((file) => (loading[file] ??= loaded(file))));
    return load();
  };
`;

export const leanPackages: Plugin[] = [smallerBuilds, usedRouter, leanIcons, leanPreload];

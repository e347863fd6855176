type ManifestRoute = {
  parentId?: string;
  path?: string;
  hasAction: boolean;
  hasDefaultExport: boolean;
  imports?: string[];
  css?: string[];
};
type Manifest = { routes: Record<string, ManifestRoute> };

/** Before the manifest in its file. */
const assignment = "window.__reactRouterManifest=";

/**
 * The browser's manifest of routes without what no page does with it, 2.5 of 4.7 kB gz on every page: files, feeds and
 * services, which browsers fetch without the router, and the imports of modules, which are there for `prefetch`. The
 * server has its own, with all of them.
 */
export function leanManifest(file: string): string {
  if (!file.startsWith(assignment)) throw new Error("React Router writes its manifest in another way now");
  const manifest = JSON.parse(file.slice(assignment.length).replace(/;\s*$/, "")) as Manifest;
  const routes = Object.entries(manifest.routes)
    .filter(([, route]) => !isFile(route))
    .map(([id, route]) => [id, lean(route)]);
  return `${assignment}${JSON.stringify({ ...manifest, routes: Object.fromEntries(routes) })};`;
}

/** Pages and the addresses that redirect to them lie in a layout. */
const isFile = ({ parentId, path = "", hasAction, hasDefaultExport }: ManifestRoute) =>
  !hasDefaultExport && !hasAction && (parentId === "root" || path.endsWith(".csv"));

function lean({ imports: _, css, ...route }: ManifestRoute) {
  const set = Object.entries(route).filter(([, value]) => value !== false);
  return { ...Object.fromEntries(set), ...(css?.length && { css }) };
}

import { type RouteConfig, route } from "@react-router/dev/routes";

export default [route("rows/:page", "rows.tsx"), route("elements/:page", "elements.tsx")] satisfies RouteConfig;

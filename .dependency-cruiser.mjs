import { forbidden } from "./tools/walls.ts";

export default {
  forbidden,
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    // Imports of types count: they tie rooms together as well.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "\\+types/" },
    enhancedResolveOptions: { conditionNames: ["import", "node", "default"], exportsFields: ["exports"] },
  },
};

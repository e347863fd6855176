import packageFile from "../../../package.json" with { type: "json" };

declare const BUILD_COMMIT: string;

export const { version } = packageFile;

/** The commit that was built, or `source` without a build. */
export const commit = typeof BUILD_COMMIT === "string" ? BUILD_COMMIT : "source";

export const alive = ["ok", version, commit].join(" ").concat("\n");

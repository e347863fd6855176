import { t } from "#lib/messages/staff.ts";
/** Makes the offline check installable. */
export const loader = () =>
  new Response(
    JSON.stringify({
      name: t("check.manifest.name"),
      short_name: t("check.manifest.shortName"),
      start_url: "/check",
      scope: "/check",
      display: "standalone",
      background_color: "#f5f5f2",
      theme_color: "#234a97",
      icons: [
        { src: "/check-icon-192.png", sizes: "192x192", type: "image/png" },
        { src: "/check-icon-512.png", sizes: "512x512", type: "image/png" },
      ],
    }),
    { headers: { "content-type": "application/manifest+json", "cache-control": "public, max-age=3600" } },
  );

import { Link, useRouteLoaderData } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { loader } from "./layout.tsx";

/** How much awaits the user's release, with the way to it. */
export function AwaitingRelease() {
  const count = useRouteLoaderData<typeof loader>("routes/signed-in/layout")?.waiting["/documents/list"] ?? 0;
  if (count === 0) return null;
  return (
    <p className="panel mb-5 px-5 py-3 font-medium">
      <Link to="/documents/releases">{t("signed-in.dashboard.awaitRelease", { count })}</Link>
    </p>
  );
}

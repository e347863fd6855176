import { Download } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";

/** A download, which the browser must follow itself. */
export function ExportLink({ to }: { to: string }) {
  const [parameters] = useSearchParams();
  const query = new URLSearchParams(parameters);
  for (const name of ["page", "after", "before", "per_page", "tab", "dialog"]) query.delete(name);
  return (
    <Link className="btn btn-plain" to={query.size > 0 ? `${to}?${query}` : to} reloadDocument>
      <Download className="ico" />
      {t("components.exportLink.exportCsv")}
    </Link>
  );
}

import { useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";

/** The document's title, with the prefix `Error:` after a refused form, and which page of a list it is. */
export function PageTitle({ title: name, hasErrors = false }: { title: string; hasErrors?: boolean }) {
  const page = Number(useSearchParams()[0].get("page"));
  const title = page > 1 ? t("components.pageTitle.onPage", { name, page }) : name;
  return (
    <title>
      {hasErrors ? t("components.pageTitle.withErrors", { title }) : t("components.pageTitle.title", { title })}
    </title>
  );
}

import { t } from "#lib/messages/staff.ts";
/** The document's title, with the prefix `Error:` after a refused form. */
export function PageTitle({ title, hasErrors = false }: { title: string; hasErrors?: boolean }) {
  return (
    <title>
      {hasErrors ? t("components.pageTitle.withErrors", { title }) : t("components.pageTitle.title", { title })}
    </title>
  );
}

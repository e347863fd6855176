/** The document's title, with the prefix `Error:` after a refused form. */
export function PageTitle({ title, hasErrors = false }: { title: string; hasErrors?: boolean }) {
  return <title>{`${hasErrors ? "Error: " : ""}${title} – Sealdesk`}</title>;
}

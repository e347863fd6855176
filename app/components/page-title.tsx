/** The document title; after a refused form it starts with “Error:”. */
export function PageTitle({ title, hasErrors = false }: { title: string; hasErrors?: boolean }) {
  return <title>{`${hasErrors ? "Error: " : ""}${title} – Sealdesk`}</title>;
}

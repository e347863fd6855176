/** The browser's title for a page; one that could not be saved says so first. */
export function PageTitle({ title, hasErrors = false }: { title: string; hasErrors?: boolean }) {
  return <title>{`${hasErrors ? "Error: " : ""}${title} – Sealdesk`}</title>;
}

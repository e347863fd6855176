import { Link, useSearchParams } from "react-router";

type Tab = { id: string; label: string };

/** Tabs are links: the one that is open is `tab` in the address, the first if that names none. */
export function useTab(tabs: readonly Tab[]): string {
  const [parameters] = useSearchParams();
  const asked = parameters.get("tab");
  return tabs.find(({ id }) => id === asked)?.id ?? tabs[0]!.id;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const current = useTab(tabs);
  return (
    <nav className="tabrow" aria-label={label}>
      {tabs.map(({ id, label }) => (
        <Link key={id} to={`?tab=${id}`} preventScrollReset aria-current={id === current ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

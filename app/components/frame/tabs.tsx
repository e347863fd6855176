import { Link, useSearchParams } from "react-router";

type Tab = { id: string; label: string };

/** The open tab: `tab` in the address, or the first. */
export const openTab = (tabs: readonly Tab[], address: URLSearchParams) =>
  (tabs.find(({ id }) => id === address.get("tab")) ?? tabs[0])?.id;

export const useTab = (tabs: readonly Tab[]) => openTab(tabs, useSearchParams()[0]);

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const current = useTab(tabs);
  const [parameters] = useSearchParams();
  const address = (tab: string) => {
    // Some pages have their record's id in the query (`docs/specification.md` section 2), others the list they lead back to.
    const keptParameters = [...parameters].filter(([name]) => ["id", "from"].includes(name));
    return `?${new URLSearchParams([...keptParameters, ["tab", tab]])}`;
  };
  return (
    <nav className="tabrow" aria-label={label}>
      {tabs.map(({ id, label }) => (
        <Link key={id} to={address(id)} preventScrollReset aria-current={id === current ? "page" : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

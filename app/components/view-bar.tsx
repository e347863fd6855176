import { Bookmark } from "lucide-react";
import { Link, useLocation, useSearchParams } from "react-router";

type View = { id: number; name: string; to: string; is_own: boolean };

export type ViewBarProps = {
  list: string;
  views: View[];
  open: View | undefined;
  isOffered: boolean;
  /** The name of the list itself: “All documents”. */
  all: string;
};

/** A list's saved views, and the way to save what is shown as one. */
export function ViewBar({ list, views, open, isOffered, all }: ViewBarProps) {
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  if (!isOffered) return null;
  const shown = new URLSearchParams(parameters);
  for (const name of ["view", "page", "after", "before", "dialog"]) shown.delete(name);
  const query = new URLSearchParams({ list, query: shown.toString() });
  return (
    <nav className="view-bar print-hidden" aria-label="Saved views">
      {views.length > 0 && (
        <Link to={`${pathname}?view=all`} aria-current={open ? undefined : "true"} data-discard>
          {all}
        </Link>
      )}
      {views.map(({ id, name, to }) => (
        <Link key={id} to={to} aria-current={id === open?.id ? "true" : undefined} data-discard>
          {name}
        </Link>
      ))}
      <span className="flex flex-wrap gap-x-4 sm:ml-auto">
        {open && (
          <Link to={`/views/${open.id}?${query}`}>
            Change view<span className="sr-only"> {open.name}</span>
          </Link>
        )}
        <Link to={`/views/new?${query}`}>
          <Bookmark className="ico" />
          Save as a view
        </Link>
      </span>
    </nav>
  );
}

import { useEffect } from "react";
import { Link, useLocation, useRevalidator } from "react-router";

type ProgressProps = { label: string; done: number; of: number; children?: React.ReactNode };

/** How far it is, as a bar and in words. */
export const BulkProgress = ({ label, done, of, children }: ProgressProps) => (
  <section className="panel mb-5 p-5 max-md:p-4" aria-labelledby="bulk-progress">
    <h2 id="bulk-progress">{label}</h2>
    <p className="mt-1 mb-3" role="status">
      {done.toLocaleString("en-GB")} of {of.toLocaleString("en-GB")} rows
    </p>
    <progress className="meter w-full" max={Math.max(1, of)} value={done} aria-label={label} />
    {children}
  </section>
);

const pollMs = 2000;

/** Loads the page's data again while something goes on; without scripts the page refreshes itself (`root.tsx`). */
export function KeepFresh({ seconds }: { seconds: number | undefined }) {
  const { revalidate, state } = useRevalidator();
  const { pathname } = useLocation();
  useEffect(() => {
    if (!seconds || state !== "idle") return undefined;
    const timer = setTimeout(() => {
      // A page that nobody looks at asks for nothing.
      if (document.visibilityState === "visible") void revalidate();
    }, pollMs);
    const onShown = () => document.visibilityState === "visible" && void revalidate();
    document.addEventListener("visibilitychange", onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [seconds, state, revalidate]);
  if (!seconds) return null;
  return (
    <noscript>
      <p className="mt-3 text-sm text-muted">
        This page refreshes itself. <Link to={`${pathname}?still`}>Stop that</Link>
      </p>
    </noscript>
  );
}

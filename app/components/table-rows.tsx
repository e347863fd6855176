import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";

/**
 * A table's rows. Those that came with the document may be missing from its data: then they stay as they were served
 * until others come, and cost scripts nothing. Their links are followed as the router's are.
 */
export function TableRows({ id, children }: { id: string; children: ReactNode | undefined }) {
  if (children === undefined) return <Served id={id} />;
  return (
    <tbody key="rendered" id={id} role="rowgroup">
      {children}
    </tbody>
  );
}

function Served({ id }: { id: string }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  // Read before anything else is done, so that they can be made again whatever happens.
  const [__html] = useState(() => document.getElementById(id)?.innerHTML ?? "");
  useEffect(() => {
    const { current } = body;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    current?.addEventListener("click", follow);
    return () => current?.removeEventListener("click", follow);
  }, [navigate]);
  return (
    <tbody
      key="served"
      id={id}
      ref={body}
      role="rowgroup"
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html }}
    />
  );
}

import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";

/**
 * A table's body. Rows that are missing from the data (`omit-rows.ts`) stay as they were served until others arrive. Their
 * links are plain ones that this follows: 150 of the router's own cost a sixth of the page's rendering.
 */
export function TableRows({ id, children }: { id: string; children: ReactNode | undefined }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  // From when the rows are shown: until then the browser would follow their links, and load the whole page.
  useLayoutEffect(() => {
    const { current } = body;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      if (!link || link.origin !== location.origin) return;
      // Files and other tabs are the browser's.
      if (link.hasAttribute("download") || link.target === "_blank") return;
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    current?.addEventListener("click", follow);
    return () => current?.removeEventListener("click", follow);
  });
  if (children === undefined) return <ServedRows id={id} body={body} />;
  return (
    <tbody key="rendered" id={id} ref={body} role="rowgroup">
      {children}
    </tbody>
  );
}

function ServedRows({ id, body }: { id: string; body: RefObject<HTMLTableSectionElement | null> }) {
  // Read first, so that React can make the rows again whenever it renders the table again.
  const [__html] = useState(() => document.getElementById(id)?.innerHTML ?? "");
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

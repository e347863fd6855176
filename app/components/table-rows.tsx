import { type ReactNode, type RefObject, use, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { RowsMarkupContext } from "./rows-markup.ts";

/**
 * A table's rows. Those that came with the document may be missing from its data: then they stay as they were served
 * until others come, and cost scripts nothing. Links in them are plain ones, and are followed as the router's are: 150
 * of the router's own cost the server a sixth of the page.
 */
export function TableRows({ id, children }: { id: string; children: ReactNode | undefined }) {
  const body = useRef<HTMLTableSectionElement>(null);
  const navigate = useNavigate();
  const asMarkup = use(RowsMarkupContext);
  useEffect(() => {
    const { current } = body;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest("a");
      if (!link || link.origin !== location.origin) return;
      if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    current?.addEventListener("click", follow);
    return () => current?.removeEventListener("click", follow);
  });
  if (asMarkup) return <tbody id={id} role="rowgroup" dangerouslySetInnerHTML={{ __html: asMarkup(children) }} />;
  if (children === undefined) return <Served id={id} body={body} />;
  return (
    <tbody key="rendered" id={id} ref={body} role="rowgroup">
      {children}
    </tbody>
  );
}

function Served({ id, body }: { id: string; body: RefObject<HTMLTableSectionElement | null> }) {
  // Read before anything else is done, so that they can be made again whatever happens.
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

import { Copy } from "lucide-react";
import { useEffect } from "react";
import { offerButtons } from "../form/offer-buttons.ts";

/** `of` is the id of the element with the text. */
type CopyButtonProps = { of: string; label: string; copied: string };

/** Copies a text that the page shows, where scripts run. */
export function CopyButton({ of, label, copied }: CopyButtonProps) {
  useEffect(offerButtons, []);
  return (
    <>
      <button className="btn btn-quiet" type="button" data-of={of} data-copied={copied} hidden>
        <Copy className="ico" />
        {label}
      </button>
      <p className="order-1 w-full text-sm text-muted" role="status" />
    </>
  );
}

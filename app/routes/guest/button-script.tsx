import { use } from "react";
import { offerButtons } from "../../components/form/offer-buttons.ts";
import { NonceContext } from "../../components/frame/nonce.ts";

/** Of a page without other scripts, behind its buttons that show a password or copy. */
export const ButtonScript = () => (
  <script
    nonce={use(NonceContext)}
    dangerouslySetInnerHTML={{ __html: `(${offerButtons})()` }}
    suppressHydrationWarning
  />
);

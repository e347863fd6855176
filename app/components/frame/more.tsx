import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";

type MoreProps = {
  /** Links, buttons and forms. */
  children: ReactNode;
  /** What there is more of, for screen readers, where a page has several. */
  label?: string;
  className?: string;
};

/** What is rarely done, unfolded beside what is done every day. */
export const More = ({ children, label, className }: MoreProps) => (
  <details className="more">
    <summary className={className ?? "btn btn-quiet"} aria-label={label}>
      {t("components.more.more")}
      <ChevronDown className="ico" />
    </summary>
    <div>{children}</div>
  </details>
);

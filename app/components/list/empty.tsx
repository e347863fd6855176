import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";

/** An empty state: a message and one way on. */
export function Empty({
  title = t("components.empty.notFound"),
  message,
  children,
}: {
  title?: string;
  message: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <svg
        width="112"
        height="84"
        viewBox="0 0 112 84"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <rect x="22" y="8" width="44" height="58" rx="4" className="fill-base-100" transform="rotate(-6 44 37)" />
        <rect x="34" y="10" width="44" height="58" rx="4" className="fill-base-100" />
        <path d="M42 22h20M42 30h28M42 38h24" />
        <path d="M42 52h6v6h-6zM52 52h2M52 58h4M58 54v4" />
        <circle cx="80" cy="58" r="13" className="fill-base-100" />
        <path d="m89.5 67.5 10 10" strokeWidth="3" />
      </svg>
      <h2>{title}</h2>
      <p className="max-w-96 text-muted">{message}</p>
      {children && <p className="mt-3">{children}</p>}
    </div>
  );
}

import { t } from "#lib/messages/staff.ts";

/** A document's avatar: a sheet of paper, sealed while it is active, and the word for that (`docs/specification.md` section 2). */
export const DocumentSheet = ({ isActive }: { isActive: boolean | undefined }) => (
  <div className="flex-none text-center text-xs font-semibold text-muted">
    <Sheet isSealed={isActive ?? false} />
    {isActive !== undefined && (isActive ? t("common.active") : t("components.statusChip.notActive"))}
  </div>
);

function Sheet({ isSealed }: { isSealed: boolean }) {
  return (
    <svg className="mx-auto h-20 w-16" width="64" height="80" viewBox="0 0 64 80" aria-hidden="true">
      <g className="stroke-control" strokeWidth="1.5" strokeLinejoin="round">
        <path d="M4 4h40l16 16v56H4z" className="fill-base-100" />
        <path d="M44 4v16h16" className="fill-base-200" />
      </g>
      <path
        d="M13 18h20M13 28h36M13 36h36M13 44h22"
        className="fill-none stroke-base-300"
        strokeWidth="3"
        strokeLinecap="round"
      />
      {isSealed && (
        <g transform="translate(36 50)">
          <path className="fill-primary" d={seal} />
          <path
            d="M5.5 9.2l2.4 2.4 4.6-4.8"
            className="fill-none stroke-primary-content"
            strokeWidth="1.8"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </g>
      )}
    </svg>
  );
}

const seal =
  "M19.1 9L19 9.4L18.7 9.8L18.2 10.2L17.8 10.6L17.4 10.9L17.2 11.2L17.2 11.6L17.4 12L17.6 12.6L17.8 13.1L17.9 13.6L17.8 14.1L17.4 14.4L16.9 14.6L16.4 14.7L15.8 14.7L15.3 14.8L15 15L14.8 15.3L14.7 15.8L14.7 16.4L14.6 16.9L14.4 17.4L14.1 17.8L13.6 17.9L13.1 17.8L12.6 17.6L12 17.4L11.6 17.2L11.2 17.2L10.9 17.4L10.6 17.8L10.2 18.2L9.8 18.7L9.4 19L9 19.1L8.6 19L8.2 18.7L7.8 18.2L7.5 17.8L7.1 17.4L6.8 17.2L6.4 17.2L6 17.4L5.4 17.6L4.9 17.8L4.4 17.9L4 17.8L3.6 17.4L3.4 16.9L3.3 16.4L3.3 15.8L3.2 15.3L3 15L2.6 14.8L2.2 14.7L1.6 14.7L1.1 14.6L0.6 14.4L0.2 14.1L0.1 13.6L0.2 13.1L0.4 12.6L0.6 12L0.8 11.6L0.8 11.2L0.6 10.9L0.2 10.6L-0.2 10.2L-0.7 9.8L-1 9.4L-1.1 9L-1 8.6L-0.7 8.2L-0.2 7.8L0.2 7.5L0.6 7.1L0.8 6.8L0.8 6.4L0.6 6L0.4 5.4L0.2 4.9L0.1 4.4L0.2 4L0.6 3.6L1.1 3.4L1.6 3.3L2.2 3.3L2.6 3.2L3 3L3.2 2.6L3.3 2.2L3.3 1.6L3.4 1.1L3.6 0.6L4 0.2L4.4 0.1L4.9 0.2L5.4 0.4L6 0.6L6.4 0.8L6.8 0.8L7.1 0.6L7.5 0.2L7.8 -0.2L8.2 -0.7L8.6 -1L9 -1.1L9.4 -1L9.8 -0.7L10.2 -0.2L10.6 0.2L10.9 0.6L11.2 0.8L11.6 0.8L12 0.6L12.6 0.4L13.1 0.2L13.6 0.1L14.1 0.2L14.4 0.6L14.6 1.1L14.7 1.6L14.7 2.2L14.8 2.6L15 3L15.3 3.2L15.8 3.3L16.4 3.3L16.9 3.4L17.4 3.6L17.8 4L17.9 4.4L17.8 4.9L17.6 5.4L17.4 6L17.2 6.4L17.2 6.8L17.4 7.1L17.8 7.5L18.2 7.8L18.7 8.2L19 8.6L19.1 9Z";

/** A sentence whose dates do not break over lines. */
export const DatesWhole = ({ text }: { text: string }) =>
  text.split(/(\d\d-\d\d-\d{4})/).map((part, n) =>
    n % 2 === 0 ? (
      part
    ) : (
      <span key={n} className="date">
        {part}
      </span>
    ),
  );

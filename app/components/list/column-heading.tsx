import { ArrowDown, ArrowUp } from "lucide-react";
import { Link, useSearchParams } from "react-router";

type HeadingProps = {
  label: string;
  sort?: string | undefined;
  className?: string | undefined;
  filterForm: string | undefined;
};

/** A column’s name, which sorts the list if it can be sorted by it. */
export function ColumnHeading({ label, sort, className, filterForm }: HeadingProps) {
  const [parameters] = useSearchParams();
  const current = parameters.get("sort");
  if (!sort) {
    return (
      <th scope="col" role="columnheader" className={className}>
        {label}
      </th>
    );
  }
  const isUp = current === sort;
  const isDown = current === `-${sort}`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  const order = isUp ? `-${sort}` : sort;
  const next = new URLSearchParams(parameters);
  next.set("sort", order);
  for (const name of ["page", "after", "before"]) next.delete(name);
  const content = (
    <>
      {label}
      <Arrow className={`ico ${isUp || isDown ? "" : "invisible"}`} />
    </>
  );
  return (
    <th
      scope="col"
      role="columnheader"
      className={className}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}
    >
      {filterForm ? (
        <button type="submit" form={filterForm} className="sort" name="sort" value={order}>
          {content}
        </button>
      ) : (
        <Link className="sort" to={`?${next}`} preventScrollReset>
          {content}
        </Link>
      )}
    </th>
  );
}

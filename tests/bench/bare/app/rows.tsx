import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageOf } from "./pages.ts";

export type BareRow = Record<"id" | "name" | "branch" | "user" | "category" | "date" | "number", string>;

/** What a page for users shows: rows as a list has them, and a text that makes it as long as the measured page. */
export type BareRows = { rows: BareRow[]; rest: string };

export const loader = ({ request }: LoaderFunctionArgs) => pageOf<BareRows>(request);

/** The same markup for each row as the list of documents has, of plain elements. */
export default function Rows() {
  const { rows, rest } = useLoaderData<typeof loader>();
  return (
    <main>
      <table role="table">
        <tbody role="rowgroup">
          {rows.map(({ id, name, branch, user, category, date, number }) => (
            <tr role="row" key={id}>
              <th scope="row" role="rowheader">
                <a className="main" href={`/documents/${id}`}>
                  {name}
                </a>
              </th>
              <td role="cell" data-label="Branch">
                <span className="lg:whitespace-nowrap">{branch}</span>
              </td>
              <td role="cell" data-label="User">
                <span className="lg:whitespace-nowrap">{user}</span>
              </td>
              <td role="cell" data-label="Category">
                {category}
              </td>
              <td role="cell" data-label="Date">
                <span className="whitespace-nowrap">{date}</span>
              </td>
              <td role="cell" data-label="Number">
                <span className="code whitespace-nowrap">{number}</span>
              </td>
              <td role="cell" data-label="Action" className="act">
                <a className="row-act" href={`/documents/${id}`} aria-label={`View ${name}`}>
                  View
                </a>
                <a className="row-act" href={`/documents/edit/${id}`} aria-label={`Edit ${name}`}>
                  Edit
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p hidden>{rest}</p>
    </main>
  );
}

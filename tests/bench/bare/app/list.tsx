import { readFileSync } from "node:fs";
import { Link, useLoaderData } from "react-router";
import { environment } from "#config";

export type BareRow = Record<"id" | "name" | "branch" | "user" | "category" | "date" | "number", string>;

/** What the page shows: the list's rows, and a text that makes it as long as the list's page is. */
export type BarePage = { rows: BareRow[]; rest: string };

/** The page is in the file that `BARE_PAGE` names, so that nothing is asked of any database. */
export const loader = () => page;

const page = JSON.parse(readFileSync(environment.BARE_PAGE!, "utf8")) as BarePage;

/** The same markup for each row as the list of documents has, with links as the framework has them. */
export default function List() {
  const { rows, rest } = useLoaderData<typeof loader>();
  return (
    <main>
      <table role="table">
        <tbody role="rowgroup">
          {rows.map(({ id, name, branch, user, category, date, number }) => (
            <tr role="row" key={id}>
              <th scope="row" role="rowheader">
                <Link className="main" to={`/documents/${id}`}>
                  {name}
                </Link>
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
                <Link className="row-act" to={`/documents/${id}`} aria-label={`View ${name}`}>
                  View
                </Link>
                <Link className="row-act" to={`/documents/edit/${id}`} aria-label={`Edit ${name}`}>
                  Edit
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p hidden>{rest}</p>
    </main>
  );
}

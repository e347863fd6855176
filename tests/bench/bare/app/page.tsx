import { readFileSync } from "node:fs";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { environment } from "#config";

export type BareRow = Record<"id" | "name" | "branch" | "user" | "category" | "date" | "number", string>;

/** What a page shows: rows as a list has them, and a text that makes it as long as the page that it is held against. */
export type BarePage = { rows: BareRow[]; rest: string };

/** The pages by name are in the file that `BARE_PAGES` names, so that nothing is asked of any database. */
export const loader = ({ params }: LoaderFunctionArgs) => pages[params.page!]!;

const pages = JSON.parse(readFileSync(environment.BARE_PAGES!, "utf8")) as Record<string, BarePage>;

/** The same markup for each row as the list of documents has, of plain elements. */
export default function Page() {
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

import { readFileSync } from "node:fs";
import { useLoaderData } from "react-router";
import { environment } from "#config";

/** What the page shows: as many elements as the measured page has, and a text that makes it as long. */
export type PlainPage = { elements: string[]; rest: string };

/** In the file that `PLAIN_PAGE` names, so that nothing is asked of any database. */
const page = JSON.parse(readFileSync(environment.PLAIN_PAGE!, "utf8")) as PlainPage;

export const loader = () => page;

/** Plain elements alone: the framework's own links would make it slower. */
export default function Page() {
  const { elements, rest } = useLoaderData<typeof loader>();
  return (
    <main>
      {elements.map((text, n) => (
        <p key={n}>{text}</p>
      ))}
      <p hidden>{rest}</p>
    </main>
  );
}

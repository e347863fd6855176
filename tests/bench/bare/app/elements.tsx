import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageOf } from "./pages.ts";

/** What a page for strangers shows: as many elements as the measured page has, and a text that makes it as long. */
export type BareElements = { elements: string[]; rest: string };

/** As public pages are. */
export const handle = { hasNoScripts: true };

export const loader = ({ request }: LoaderFunctionArgs) => pageOf<BareElements>(request);

/** Plain elements alone: the framework's own links would make it slower. */
export default function Elements() {
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

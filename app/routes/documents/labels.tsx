import { Printer } from "lucide-react";
import { useHydrated } from "remix-utils/use-hydrated";
import { BackLink } from "../../components/back-link.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { QrCode } from "../../components/qr-code.tsx";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/labels";
import { readCopies } from "./copies.server.ts";

/** The labels of all copies that are not withdrawn. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const document = await getProvider(context).getDocument({ params });
  const copies = await readCopies(context, document);
  const { id, name, number, code } = document;
  const labels = copies?.filter(({ withdrawn }) => !withdrawn) ?? [{ n: 1, code }];
  return { id, name, number, copies: document.copies, labels: labels.map(({ n, code }) => ({ n, code })) };
}

/** Labels with the codes of a document's copies, to be printed and put on paper. */
export default function DocumentLabels({ loaderData: { id, name, number, copies, labels } }: Route.ComponentProps) {
  const isHydrated = useHydrated();
  return (
    <>
      <PageTitle title={`Labels of ${name}`} />
      <BackLink to={`/documents/${id}`}>Back to {name}</BackLink>
      <div className="page-head mt-2 print:hidden">
        <div>
          <h1>Labels</h1>
          <p className="lead">
            Print this page at its actual size: phones read codes of 25 mm well, and smaller ones badly. Withdrawn
            copies are left out.
          </p>
        </div>
        {isHydrated && (
          <button className="btn btn-primary" type="button" onClick={() => print()}>
            <Printer className="ico" />
            Print
          </button>
        )}
      </div>
      {labels.length === 0 && <p className="text-muted">All copies are withdrawn.</p>}
      <ul className="labels">
        {labels.map(({ n, code }) => (
          <li key={n}>
            <QrCode documentId={id} copy={n} className="label-code" />
            <p>
              <b className="code wrap-anywhere">{number}</b>
              {copies > 1 && <span>{`Copy ${n} of ${copies}`}</span>}
              <span className="code">{code.match(/.{1,4}/g)?.join("-")}</span>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

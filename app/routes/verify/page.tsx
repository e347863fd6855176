import { createContext, data } from "react-router";
import { z } from "zod";
import { complain, locateScan, type Verification } from "#provider/contract/verify.ts";
import { showDate, showInstant } from "../../components/format.ts";
import { getProvider } from "../../server/provider/context.ts";
import { readForm } from "../../server/forms/forms.ts";
import { handleRecord, type Refusal } from "../../server/forms/records.ts";
import { getNonce } from "../../server/request/security.ts";
import type { Route } from "./+types/page";
import { check, record } from "./check.server.ts";
import { locateScript } from "./locate.ts";
import { Sheet } from "./sheet.tsx";
import { TellLocation, TellProblem } from "./report-forms.tsx";
import { Verdict, wordsFor } from "./verdict.tsx";

/** The page behind a document's QR code: for anybody, without a script that it would need. */

type Told = { scan: string; told: string[]; refusal?: Refusal & { intent: string }; status?: number | undefined };

/** What the page says to itself, beside the scan's name. */
const doneForm = z.object({ told: z.string() });

/** What was told just now: the page that answers is no new scan. */
const toldContext = createContext<Told | null>(null);

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const { outcome, status, retryAfter } = await check(context, params.code);
  const number = (url.searchParams.get("number") ?? "").trim().slice(0, 50);
  const before = context.get(toldContext);
  const { scan, told, refusal } = before ?? { scan: await record(context, request, outcome, number), told: [] };
  const timezone = outcome.kind === "found" ? outcome.document.timezone : "Europe/London";
  const checked = showInstant(new Date().toISOString(), timezone).replace(" ", " at ");
  const isOther = outcome.kind === "found" && number !== "" && !isSame(number, outcome.document.number);
  const answer = { outcome, scan, told, refusal, checked, typed: isOther ? number : "", nonce: getNonce(context) };
  const headers = retryAfter ? { "retry-after": String(retryAfter) } : undefined;
  return data(answer, { status: before?.status ?? status, ...(headers && { headers }) });
}

/** Where the scan was made, or what is wrong: told once each, then the same page again. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const form = await readForm(request, locateScan.body, complain.body, doneForm);
  const provider = getProvider(context);
  const intent = form.get("intent") === "location" ? "location" : "complaint";
  const done = async (call: Promise<void>) => call.then(() => new Response());
  const answer =
    intent === "location"
      ? await handleRecord(
          { form },
          {
            schema: locateScan.body,
            save: (body) => done(provider.locateScan({ params, body })),
          },
        )
      : await handleRecord(
          { form },
          { schema: complain.body, save: (body) => done(provider.complain({ params, body })) },
        );
  const told = (form.get("told") ?? "").split(" ").filter((one) => ["location", "complaint"].includes(one));
  const scan = form.get("scan") ?? "";
  if (answer instanceof Response) context.set(toldContext, { scan, told: [...told, intent] });
  else context.set(toldContext, { scan, told, refusal: { ...answer.data, intent }, status: answer.init?.status });
  return null;
}

/** As somebody types it from paper. */
const isSame = (typed: string, number: string) => plain(typed) === plain(number);
const plain = (number: string) => number.toLocaleLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => {
  const headers = new Headers(loaderHeaders);
  headers.set("permissions-policy", "geolocation=(self)");
  headers.set("x-robots-tag", "noindex");
  return headers;
};

export default function VerifyPage({ loaderData }: Route.ComponentProps) {
  const { outcome, scan, told, refusal, checked, typed, nonce } = loaderData;
  const title = `${refusal ? "Error: " : ""}${wordsFor(outcome).title}`;
  if (outcome.kind !== "found") {
    return (
      <Sheet title={title} footer={`Checked ${checked}.`}>
        <Verdict outcome={outcome} />
        <div className="part foot">
          {outcome.kind !== "no answer" && (
            <dl>
              <Fact name="Code" value={outcome.code} />
            </dl>
          )}
          <h2>What you can do</h2>
          <p className="muted">
            {outcome.kind === "not issued"
              ? "Compare the code with the paper. If it is the same, tell the company that the paper names, by a phone number that you find elsewhere."
              : outcome.kind === "mistyped"
                ? "Type the code that is printed beside the QR code."
                : "Check it again a little later. Until then nothing is known about the document."}
          </p>
          {outcome.kind === "no answer" ? (
            <a className="btn" href={`/v/${outcome.code}`}>
              Check again
            </a>
          ) : (
            <a className="btn" href="/v">
              Type a code
            </a>
          )}
        </div>
      </Sheet>
    );
  }
  const { document } = outcome;
  const tell = { scan, company: document.company, told, refusal };
  return (
    <Sheet title={title} footer={<Recorded checked={checked} scan={scan} company={document.company} />}>
      <Verdict outcome={outcome} />
      <div className="part">
        {typed && (
          <p className="error" role="alert">
            The number that you typed, {typed}, is not this record’s. The code may have been copied to another paper: do
            not rely on it.
          </p>
        )}
        <Facts document={document} />
        <OpenPages document={document} />
      </div>
      <div className="part foot">
        <h2>{document.ended ? "What you can do" : "Does the paper say something else?"}</h2>
        <p className="muted">
          {document.ended
            ? "This is about the record; the paper may be a copy of it or say something else. Ask the person who gave it to you for a document that is in force."
            : "This confirms the record, not the paper. Compare the number, type and date with the paper in your hand. If they differ, tell the issuer."}
        </p>
        <TellProblem {...tell} />
      </div>
      {scan && (
        <div className="part foot">
          <TellLocation {...tell} />
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: locateScript }} suppressHydrationWarning />
        </div>
      )}
    </Sheet>
  );
}

function Facts({ document }: { document: Verification }) {
  const { company, branch, expire_date, ended } = document;
  return (
    <dl>
      <Fact name="Number" value={document.number} />
      <Fact name="Type" value={[document.document_type, document.document_subtype].filter(Boolean).join(", ")} />
      <Fact name="Issued by" value={[company, branch].filter(Boolean).join(", ")} />
      <Fact name="Date" value={showDate(document.date)} isDate />
      {ended && <Fact name="Ended on" value={showDate(ended.since)} isDate />}
      {!ended && <Fact name="Valid until" value={expire_date ? showDate(expire_date) : "No end is set"} isDate />}
      <Fact name="Pages" value={String(document.pages)} />
    </dl>
  );
}

const Fact = ({ name, value, isDate = false }: { name: string; value: string; isDate?: boolean }) => (
  <div>
    <dt>{name}</dt>
    <dd className={isDate ? "date" : undefined}>{value}</dd>
  </div>
);

/** Pages that anybody may see; asked for when they are unfolded. */
function OpenPages({ document: { code, open_pages, preparing } }: { document: Verification }) {
  if (open_pages.length === 0) return null;
  const pages = open_pages.flatMap(({ n, pages }) => Array.from({ length: pages }, (_, index) => [n, index + 1]));
  return (
    <details>
      <summary className="btn">Look at the pages</summary>
      {preparing && (
        <p className="muted">
          Some pages are still being prepared. If one does not show, reload this page in a moment.
        </p>
      )}
      {pages.map(([n, page], index) => (
        <img
          key={`${n} ${page}`}
          src={`/v/${code}/pages/${n}?page=${page}`}
          alt={`Page ${index + 1}`}
          loading="lazy"
          width="620"
          height="877"
        />
      ))}
    </details>
  );
}

function Recorded({ checked, scan, company }: { checked: string; scan: string; company: string }) {
  const seen = `${company} can see that this code was scanned, and when; where, only if you share it.`;
  return `Checked ${checked}.${scan ? ` ${seen}` : ""}`;
}

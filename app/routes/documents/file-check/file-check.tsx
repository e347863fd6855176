import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { ErrorSummary } from "../../../components/form/error-summary.tsx";
import { useUploads } from "../../../components/form/uploads.ts";
import { fileCheckWords } from "../../../components/scan/file-check-words.ts";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { answerFileCheck } from "../../../server/forms/file-check.ts";
import { actionHeaders } from "../../../server/forms/forms.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { requireOffer } from "../../../server/sessions/current-user.ts";
import type { Route } from "./+types/file-check";
import { FileCheckForm } from "./file-check-form.tsx";
import { FileCheckResult } from "./file-check-result.tsx";

/** Whether a file is a document, with the changed pages side by side. */

export async function loader({ context, params }: Route.LoaderArgs) {
  requireOffer(context, "fileChecks");
  const { id, name, number, copies } = await getProvider(context).getDocument({ params });
  return { document: { id, name, number, copies } };
}

export const action = ({ request, context, params }: Route.ActionArgs) =>
  answerFileCheck(
    request,
    (form) => getProvider(context).checkDocumentFile({ params, body: {}, form }),
    (check) => fileCheckWords(check, wordsOf(staffLanguage)),
  );

export const headers = actionHeaders;

export default function FileCheck({ loaderData: { document }, actionData }: Route.ComponentProps) {
  const uploads = useUploads(actionData);
  const { words, refused } = uploads.reply ?? {};
  const title = words
    ? t("documents.fileCheck.answerTitle", { answer: words.title, name: document.name })
    : t("documents.fileCheck.title", { name: document.name });
  return (
    <>
      <PageTitle title={title} hasErrors={Boolean(refused)} />
      <ErrorSummary errors={refused ? [{ fieldId: "file", message: refused }] : []} />
      <BackLink to={`/documents/${document.id}`}>{t("common.backToName", { name: document.name })}</BackLink>
      <div className="page-head mt-2">
        <div>
          <h1>{t("documents.fileCheckForm.doesAFileMatch")}</h1>
          <p className="code mt-1 text-muted" translate="no">
            {document.number}
          </p>
        </div>
      </div>
      {words && <FileCheckResult words={words} />}
      <section className="panel" aria-labelledby="file-check">
        <div className="panel-head">
          <h2 id="file-check">
            {words ? t("documents.fileCheck.compareAnotherFile") : t("documents.fileCheck.compareAFile")}
          </h2>
        </div>
        <FileCheckForm documentId={document.id} copies={document.copies} uploads={uploads} />
      </section>
    </>
  );
}

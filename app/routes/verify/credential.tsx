import { data } from "react-router";
import { asTheirs } from "#lib/messages/isolates.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { checkCredential } from "#provider/contract/wallet.ts";
import { Field } from "../../components/form/field.tsx";
import { readPlainForm } from "../../server/forms/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure, notOffered } from "../../server/provider/failure.ts";
import { spokenIn } from "../../server/request/language.ts";
import { hasSealKeys } from "../../server/seals.ts";
import type { Route } from "./+types/credential";
import { checkedNow } from "./answer.server.ts";
import { isAhead } from "./check.server.ts";
import { headersOfCode } from "./headers.ts";
import { Fact, RecordFacts } from "./record.tsx";
import { refusalOf } from "./refusals.server.ts";
import { InLanguage, useAddress, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";
import { lookOf, Verdict } from "./verdict.tsx";

/** Whether a credential from a wallet is genuine and its document in force. It works without scripts. */

function requireCredentials() {
  if (!hasSealKeys()) throw notOffered("wallets");
}

export function loader({ request, context }: Route.LoaderArgs) {
  requireCredentials();
  return spokenIn(context, request);
}

export async function action({ request, context }: Route.ActionArgs) {
  requireCredentials();
  const { language } = spokenIn(context, request);
  const words = wordsOf(language);
  const form = await readPlainForm(request, checkCredential.body);
  try {
    const body = { credential: form?.get("credential") ?? "" };
    const document = await getProvider(context).checkCredential({ body, ...(!form && { form: request }) });
    const outcome = { kind: "found" as const, document, typed: "", isAhead: isAhead(document) };
    return data({ outcome, checked: checkedNow(outcome, language) });
  } catch (thrown) {
    const failed = asFailure(thrown);
    if (!failed) throw thrown;
    const message = failed.errors?.picture?.[0];
    const { refused, init } = message
      ? refusalOf({ ...failed, message }, words, {})
      : refusalOf(failed, words, { 404: "credential.unknown", 422: "credential.refused" });
    return data({ refused: { [form ? "credential" : "picture"]: refused } }, init);
  }
}

export const headers: Route.HeadersFunction = headersOfCode;

export default function VerifyCredential({ loaderData, actionData }: Route.ComponentProps) {
  const issuerLanguage = actionData && "outcome" in actionData ? actionData.outcome.document.language : "";
  return (
    <InLanguage spoken={{ ...loaderData, issuerLanguage }}>
      {actionData && "outcome" in actionData ? <Checked {...actionData} /> : <Ask {...actionData} />}
    </InLanguage>
  );
}

type Checked = Extract<NonNullable<Route.ComponentProps["actionData"]>, { outcome: unknown }>;

function Checked({ outcome, checked }: Checked) {
  const words = useWords();
  const { t } = words;
  const { name, code, custom_fields } = outcome.document;
  return (
    <Sheet title={lookOf(outcome, words).title} footer={t("checked.when", checked)}>
      <Verdict outcome={outcome} />
      <div className="part">
        <RecordFacts document={outcome.document} />
        {(name || code || custom_fields.length > 0) && (
          <dl>
            {name && <Fact name={t("credential.name")} value={asTheirs(name)} />}
            {code && <Fact name={t("fact.code")} value={asTheirs(code)} />}
            {custom_fields.map((field) => (
              <Fact key={field.name} name={field.name} value={asTheirs(field.value)} />
            ))}
          </dl>
        )}
        <p className="muted of">{t("credential.shown")}</p>
      </div>
      <CredentialForms isBelow />
    </Sheet>
  );
}

type Refused = { refused?: { credential?: string; picture?: string } };

function Ask({ refused }: Refused) {
  const { t } = useWords();
  const to = useAddress();
  return (
    <Sheet title={t("credential.ask")} hasErrors={Boolean(refused)}>
      <CredentialForms refused={refused} />
      <div className="part foot">
        <a className="btn" href={to("/v")}>
          {t("advice.typeCode")}
        </a>
      </div>
    </Sheet>
  );
}

function CredentialForms({ refused = {}, isBelow }: Refused & { isBelow?: boolean }) {
  const { t } = useWords();
  const action = useAddress()("/v/credential");
  const field = (name: keyof typeof refused) => {
    const error = refused[name];
    return { field: { id: name, name, errors: error ? [error] : undefined }, errorMark: t("frame.errorMark") };
  };
  return (
    <>
      <div className={isBelow ? "part foot" : "part"}>
        {!isBelow && <h1>{t("credential.ask")}</h1>}
        <form method="post" action={action} className="tell">
          <Field
            {...field("credential")}
            label={t("credential.label")}
            hint={t("credential.hint")}
            rows={6}
            maxLength={20_000}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
          />
          <button type="submit" className="btn btn-primary">
            {t("enter.check")}
          </button>
        </form>
      </div>
      <div className="part foot">
        <form method="post" action={action} encType="multipart/form-data" className="tell">
          <Field
            {...field("picture")}
            label={t("credential.picture.label")}
            hint={t("credential.picture.hint")}
            type="file"
            accept="image/jpeg,image/png,image/webp"
          />
          <button type="submit" className="btn btn-primary">
            {t("credential.picture.check")}
          </button>
        </form>
      </div>
    </>
  );
}

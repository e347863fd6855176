import { data, redirect } from "react-router";
import { plainText } from "#lib/messages/isolates.ts";
import { Field } from "../../components/form/field.tsx";
import { languageParameter, spokenIn } from "../../server/request/language.ts";
import { hasSealKeys } from "../../server/seals.ts";
import type { Route } from "./+types/enter-code";
import { InLanguage, type Spoken, useAddress, useChosen, useWords } from "./said.tsx";
import { Sheet } from "./sheet.tsx";
import { addressOfTyped, longestCode, typedAgain } from "./typed-address.ts";

/** A form for the code that is printed on a document. */
export function loader({ request, context, url }: Route.LoaderArgs) {
  const { searchParams } = url;
  const code = searchParams.get("code");
  const number = searchParams.get("number")?.trim() ?? "";
  const spoken = spokenIn(context, request);
  const address = addressOfTyped(code ?? "");
  if (address) {
    const query: Record<string, string> = {
      ...(number && { number: number.slice(0, 50) }),
      ...(spoken.isChosen && { [languageParameter]: spoken.language }),
    };
    const parameters = new URLSearchParams(query);
    return redirect(parameters.size > 0 ? `${address}?${parameters}` : address);
  }
  const isMissing = code !== null;
  const typed = (code ?? searchParams.get(typedAgain) ?? "").slice(0, longestCode);
  const shown = { ...(isMissing ? { code: typed } : typed && { [typedAgain]: typed }), ...(number && { number }) };
  const query = String(new URLSearchParams(shown));
  const hasCredentials = hasSealKeys();
  return data({ isMissing, typed, number, query, hasCredentials, ...spoken }, { status: isMissing ? 422 : 200 });
}

type Shown = Omit<Route.ComponentProps["loaderData"], keyof Spoken>;

export default function EnterCode({ loaderData: { language, isChosen, site, ...shown } }: Route.ComponentProps) {
  return (
    <InLanguage spoken={{ language, isChosen, site }}>
      <CodeForm {...shown} />
    </InLanguage>
  );
}

/** With hyphens at which no line ends. */
const unbroken = (code: string) => code.replaceAll("-", "\u2011");

function CodeForm({ isMissing, typed, number, query, hasCredentials }: Shown) {
  const { t } = useWords();
  const language = useChosen();
  const to = useAddress();
  const errors = isMissing ? [t("enter.missing")] : undefined;
  return (
    <Sheet title={t("frame.name")} hasErrors={isMissing} kept={{ query }}>
      <div className="part">
        <h1>{t("enter.title")}</h1>
        <p className="muted">{t("enter.how")}</p>
        <form method="get" action="/v" className="tell">
          {language && <input type="hidden" name="lang" value={language} />}
          <Field
            field={{ id: "code", name: "code", errors, initialValue: typed }}
            label={t("enter.code")}
            hint={plainText(t("enter.codeHint", { example: unbroken("4C7H-29KD-3P17-2XQ0-8") }))}
            errorMark={t("frame.errorMark")}
            autoComplete="off"
            spellCheck={false}
            autoFocus={isMissing}
            dir="ltr"
          />
          <Field
            field={{ id: "number", name: "number", initialValue: number }}
            label={t("enter.number")}
            hint={t("enter.numberHint")}
            autoComplete="off"
            spellCheck={false}
            dir="auto"
          />
          <button type="submit" className="btn btn-primary">
            {t("enter.check")}
          </button>
        </form>
      </div>
      {hasCredentials && (
        <div className="part foot">
          <a className="btn" href={to("/v/credential")}>
            {t("credential.ask")}
          </a>
        </div>
      )}
    </Sheet>
  );
}

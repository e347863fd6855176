import { redirect } from "react-router";
import { Field } from "../../components/field.tsx";
import type { Route } from "./+types/enter-code";
import { Sheet } from "./sheet.tsx";

/** A form for the code that is printed on a document. */
export function loader({ url }: Route.LoaderArgs) {
  const code = url.searchParams.get("code")?.trim();
  const number = url.searchParams.get("number")?.trim() ?? "";
  // What a scanner shows of a QR code is pasted whole.
  const address = /\/v\/([^/?#]{1,100}(?:\/\d{1,1000})?)$/.exec(code ?? "")?.[1];
  if (address) return redirect(`/v/${address}`);
  if (code) {
    const query = number && `?${new URLSearchParams({ number: number.slice(0, 50) })}`;
    return redirect(`/v/${encodeURIComponent(code.slice(0, 100))}${query}`);
  }
  return { isMissing: code === "", number };
}

export default function EnterCode({ loaderData: { isMissing, number } }: Route.ComponentProps) {
  const errors = isMissing ? ["Enter the code"] : undefined;
  return (
    <Sheet title={`${isMissing ? "Error: " : ""}Document check`}>
      <div className="part">
        <h1>Check a document</h1>
        <p className="muted">Scan its QR code, or type the code that is printed beside it.</p>
        <form method="get" action="/v" className="tell">
          <Field
            field={{ id: "code", name: "code", errors }}
            label="Code"
            hint="17 characters, like 4C7H-29KD-3P17-2XQ0-8"
            autoComplete="off"
            spellCheck={false}
          />
          <Field
            field={{ id: "number", name: "number", initialValue: number }}
            label="Document number"
            hint="As printed on the paper; optional"
            autoComplete="off"
            spellCheck={false}
          />
          <button type="submit" className="btn btn-primary">
            Check document
          </button>
        </form>
      </div>
    </Sheet>
  );
}

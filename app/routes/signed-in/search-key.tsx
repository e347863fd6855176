import { t, tRich } from "#lib/messages/staff.ts";
import { Form } from "../../components/form/form.tsx";

const choices = [
  { value: "on", label: t("signed-in.searchKey.on") },
  { value: "off", label: t("signed-in.searchKey.off") },
] as const;

/** Turns the key / off for those who speak or touch a letter by chance; Ctrl and K stay. */
export function SearchKey({ isOn }: { isOn: boolean }) {
  return (
    <section className="panel mt-5 overflow-hidden" aria-labelledby="search-key">
      <div className="panel-head">
        <h2 id="search-key">{t("signed-in.searchKey.keyboard")}</h2>
      </div>
      <div className="rule flex flex-wrap items-center justify-between gap-3 px-5 py-4 max-md:px-4">
        <p>{tRich("signed-in.searchKey.whatTheKeysDo", { kbd: (key) => <kbd>{key}</kbd> })}</p>
        <Form method="post" action="/search/key" className="theme-switch" aria-label={t("signed-in.searchKey.theKey")}>
          {choices.map(({ value, label }) => (
            <button
              type="submit"
              key={value}
              name="slash"
              value={value}
              aria-pressed={(value === "on") === isOn}
              className="min-w-16"
            >
              {label}
            </button>
          ))}
        </Form>
      </div>
    </section>
  );
}

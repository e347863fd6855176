import { t, tRich } from "#lib/messages/staff.ts";

const inBraces = (column: string) => `{{${column}}}`;

const example = t("documents.templates.howTo.example", {
  firstName: inBraces(t("documents.templates.howTo.firstNameColumn")),
  name: inBraces(t("documents.templates.howTo.nameColumn")),
});

/** How to make a template. */
export const HowTo = () => (
  <section className="panel mt-5" aria-labelledby="how-to">
    <div className="panel-head">
      <h2 id="how-to">{t("documents.templates.howTo.heading")}</h2>
    </div>
    <ul className="list-disc grid max-w-3xl gap-2 px-5 pb-5 pl-10 max-md:px-4 max-md:pl-9">
      <li>
        {tRich("documents.templates.howTo.bracesInText", {
          code: (words) => (
            <span className="code" translate="no">
              {words}
            </span>
          ),
          example,
        })}
      </li>
      <li>{t("documents.templates.howTo.leaveRoom")}</li>
      <li>{t("documents.templates.howTo.formFields")}</li>
      <li>{t("documents.templates.howTo.checkBoxesAndChoices")}</li>
      <li>{t("documents.templates.howTo.checkTheColumns")}</li>
    </ul>
  </section>
);

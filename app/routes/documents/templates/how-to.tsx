import { say, sayWith } from "#lib/messages/staff.ts";

const inBraces = (column: string) => `{{${column}}}`;

const example = say("documents.templates.howTo.example", {
  firstName: inBraces(say("documents.templates.howTo.firstNameColumn")),
  name: inBraces(say("documents.templates.howTo.nameColumn")),
});

/** How to make a template. */
export const HowTo = () => (
  <section className="panel mt-5" aria-labelledby="how-to">
    <div className="panel-head">
      <h2 id="how-to">{say("documents.templates.howTo.heading")}</h2>
    </div>
    <ul className="list-disc grid max-w-3xl gap-2 px-5 pb-5 pl-10 max-md:px-4 max-md:pl-9">
      <li>
        {sayWith("documents.templates.howTo.bracesInText", {
          code: (words) => <span className="code">{words}</span>,
          example,
        })}
      </li>
      <li>{say("documents.templates.howTo.leaveRoom")}</li>
      <li>{say("documents.templates.howTo.formFields")}</li>
      <li>{say("documents.templates.howTo.checkBoxesAndChoices")}</li>
      <li>{say("documents.templates.howTo.checkTheColumns")}</li>
    </ul>
  </section>
);

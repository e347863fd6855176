import { say } from "#messages/staff.ts";

/** How to make a template. */
export const HowTo = () => (
  <section className="panel mt-5" aria-labelledby="how-to">
    <div className="panel-head">
      <h2 id="how-to">{say("documents.templates.howTo.howToMakeA")}</h2>
    </div>
    <ul className="list-disc grid max-w-3xl gap-2 px-5 pb-5 pl-10 max-md:px-4 max-md:pl-9">
      <li>
        Make the document in a word processor, and type the columns of your table in double braces where a row’s values
        go: <span className="code">{"Dear {{first name}} {{name}}"}</span>. Save it as a PDF.
      </li>
      <li>{say("documents.templates.howTo.leaveRoomAfterEach")}</li>
      <li>{say("documents.templates.howTo.orMakeFormFields")}</li>
      <li>{say("documents.templates.howTo.checkBoxesAreTicked")}</li>
      <li>{say("documents.templates.howTo.checkThatAllColumns")}</li>
    </ul>
  </section>
);

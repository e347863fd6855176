/** How to make a template. */
export const HowTo = () => (
  <section className="panel mt-5" aria-labelledby="how-to">
    <div className="panel-head">
      <h2 id="how-to">How to make a template</h2>
    </div>
    <ul className="list-disc grid max-w-3xl gap-2 px-5 pb-5 pl-10 max-md:px-4 max-md:pl-9">
      <li>Make the document in a word processor or PDF editor, with a form field wherever a row’s value goes.</li>
      <li>Name each field as the column of your table: a field named “name” shows the column “name”.</li>
      <li>
        For text around values, type the columns in braces as the field’s own value:{" "}
        <span className="code">{"Dear {{first name}} {{name}}"}</span>. Braces in the page’s plain text are refused.
      </li>
      <li>Check boxes are ticked by yes, true, 1 or x. Lists and radio buttons take one of their choices.</li>
      <li>Save it as a PDF with form fields (AcroForm), 25 MB and 50 pages at most, without signature fields.</li>
    </ul>
  </section>
);

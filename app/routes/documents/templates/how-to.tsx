/** How to make a template. */
export const HowTo = () => (
  <section className="panel mt-5" aria-labelledby="how-to">
    <div className="panel-head">
      <h2 id="how-to">How to make a template</h2>
    </div>
    <ul className="list-disc grid max-w-3xl gap-2 px-5 pb-5 pl-10 max-md:px-4 max-md:pl-9">
      <li>
        Make the document in a word processor, and type the columns of your table in double braces where a row’s values
        go: <span className="code">{"Dear {{first name}} {{name}}"}</span>. Save it as a PDF.
      </li>
      <li>
        Leave room after each of them: what follows on the line stays where it is, and a longer value is printed
        smaller, down to 6 pt. One that is alone in the middle of its line is centred. Values have a font of their own,
        in the size and colour of what was typed.
      </li>
      <li>
        Or make form fields in a PDF editor, each named as a column: a field named “name” shows the column “name”. A
        field’s own value can have columns in braces with text around them. Fields can have several lines and alignment.
      </li>
      <li>Check boxes are ticked by yes, true, 1 or x. Lists and radio buttons take one of their choices.</li>
      <li>
        Check that all columns are listed once it is added, and try it. 25 MB and 50 pages at most, no signature fields.
      </li>
    </ul>
  </section>
);

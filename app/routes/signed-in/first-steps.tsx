import { Check } from "lucide-react";
import { Link } from "react-router";

const steps = [
  {
    id: "company",
    to: "/branches/profile?edit",
    title: "Complete the company profile",
    hint: "People who check your documents see who issued them.",
  },
  {
    id: "branch",
    to: "/branches/new",
    title: "Add your first branch",
    hint: "Users and documents belong to a branch.",
  },
  {
    id: "document",
    to: "/documents/new",
    title: "Issue your first document",
    hint: "It gets a number and a QR code that anyone can check.",
  },
] as const;

type Done = Record<(typeof steps)[number]["id"], boolean>;

/** How an administrator sets the company up: three steps, ticked as they are done. */
export const FirstSteps = ({ steps: done }: { steps: Done }) => (
  <section className="panel mb-5" aria-labelledby="first-steps">
    <div className="panel-head">
      <h2 id="first-steps">Set up your company</h2>
      <p className="text-sm text-muted">{`${steps.filter(({ id }) => done[id]).length} of ${steps.length} done`}</p>
    </div>
    <ol className="first-steps rule">
      {steps.map(({ id, to, title, hint }, n) => (
        <li key={id}>
          <span className={done[id] ? "dot is-ok" : "dot"} aria-hidden="true">
            {done[id] ? <Check className="ico" /> : n + 1}
          </span>
          <div>
            <Link className="font-semibold" to={to}>
              {title}
            </Link>
            {done[id] && <span className="sr-only">, done</span>}
            <p className="text-sm text-muted">{hint}</p>
          </div>
        </li>
      ))}
    </ol>
  </section>
);

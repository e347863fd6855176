import { ArrowLeft, Trash2 } from "lucide-react";
import { data, Form, Link, redirect } from "react-router";
import { errorsByField } from "#provider/contract/fields.ts";
import { createUser, updateUser, type User } from "#provider/contract/users.ts";
import { CloseLink, Dialog, useDialog } from "../../components/dialog.tsx";
import { ErrorSummary } from "../../components/error-summary.tsx";
import { Field, type FieldState } from "../../components/field.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { mustBeAllowed } from "../../server/current-user.ts";
import { readForm } from "../../server/forms.ts";
import { getProvider } from "../../server/provider/context.ts";
import { asFailure } from "../../server/provider/failure.ts";
import { setNotice } from "../../server/session.ts";
import type { Route } from "./+types/form";
import { readOptions } from "./options.server.ts";

/** One form to add a user and to change one: the address says which. */

type Values = Record<string, string>;
type Errors = Record<string, string[]>;

export async function loader({ context, params }: Route.LoaderArgs) {
  const { id } = params;
  mustBeAllowed(context, "users", id ? "write" : "create", id ? "change users" : "add users");
  const user = id ? await getProvider(context).getUser({ params: { id } }) : undefined;
  return { user, values: user ? asTyped(user) : ({} as Values), options: await readOptions(context) };
}

/** A user as the form shows them. */
const asTyped = (user: User): Values =>
  Object.fromEntries(Object.entries(user).map(([name, value]) => [name, String(value ?? "")]));

const secrets = ["password", "password_confirmation"];

export async function action({ request, context, params: { id } }: Route.ActionArgs) {
  const form = await readForm(request);
  const typed = Object.fromEntries(form);
  const values: Values = Object.fromEntries(Object.entries(typed).filter(([name]) => !secrets.includes(name)));
  const refuse = (errors: Errors, status: number) => data({ values, errors, isStale: status === 409 }, { status });
  const provider = getProvider(context);
  try {
    if (id && typed.go === "remove") {
      await provider.removeUser({ params: { id } });
      setNotice(context, "The user was removed");
      return redirect("/users/list");
    }
    const parsed = id ? updateUser.body.safeParse(typed) : createUser.body.safeParse(typed);
    if (!parsed.success) return refuse(errorsByField(parsed.error), 422);
    const { data: body } = parsed;
    if (id) await provider.updateUser({ params: { id }, body });
    else await provider.createUser({ body });
    setNotice(context, id ? `${body.name}: changes saved` : addedNotice(body));
    // Straight to where /users leads: a notice is for the next page only.
    return redirect("/users/list");
  } catch (thrown) {
    const refused = asFailure(thrown);
    if (!refused || [403, 404].includes(refused.status)) throw thrown;
    return refuse(refused.errors ?? { "": [refused.message] }, refused.status);
  }
}

const addedNotice = ({ name, email, password }: { name: string; email: string; password: string }) =>
  password ? `${name} was added` : `${name} was added, and is invited by mail to ${email}`;

/** After a refusal as well: the form must know the version that it now builds on. */
export const shouldRevalidate = () => true;

export default function UserForm({ loaderData, actionData }: Route.ComponentProps) {
  const { user, options, ...saved } = loaderData;
  const values = actionData?.values ?? saved.values;
  const errors: Errors = actionData?.errors ?? {};
  const { open, openTo, closeTo } = useDialog();
  const title = user ? "Edit user" : "Add new user";
  const field = (name: string) => ({ id: name, name, errors: errors[name], initialValue: values[name] });
  const summary = Object.entries(errors).flatMap(([name, [message = ""]]) =>
    name ? { message, fieldId: name } : { message },
  );
  return (
    <>
      <PageTitle title={title} hasErrors={summary.length > 0} />
      <ErrorSummary errors={summary} />
      <Link className="back" to="/users/list">
        <ArrowLeft className="ico" />
        Back to the list of users
      </Link>
      <div className="page-head mt-1">
        <h1>{title}</h1>
      </div>
      {actionData?.isStale && user && <SavedMeanwhile user={user} />}
      <Form method="post" className="panel" noValidate preventScrollReset>
        {user && <input type="hidden" name="version" value={user.version} />}
        <section className="form-section" aria-labelledby="person">
          <h2 id="person">Person</h2>
          <div className="form-grid">
            <Field field={field("name")} label="Name" maxLength={100} autoComplete="off" />
            <Field field={field("email")} label="Email" type="email" spellCheck={false} autoComplete="off" />
            <Field field={field("phone")} label="Phone" type="tel" autoComplete="off" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="place">
          <h2 id="place">Place of work</h2>
          <div className="form-grid">
            <Chosen field={field("branch")} label="Branch" none="No branch" from={options.branches} />
            <Field field={field("country")} label="Country" autoComplete="off" />
            <Field field={field("city")} label="City" autoComplete="off" />
            <Field field={field("index")} label="Index" autoComplete="off" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="access">
          <div>
            <h2 id="access">Access</h2>
            <p className="hint mt-1">What the user can see and change.</p>
          </div>
          <div className="form-grid">
            <Field field={field("role")} label="Role" hint="The job title; it gives no rights" autoComplete="off" />
            <Chosen
              field={field("staff")}
              label="Access group"
              hint="This gives the rights"
              none="Choose …"
              from={options.groups}
            />
            <Field field={field("info")} label="Additional information" rows={3} className="col-span-full" />
          </div>
        </section>
        <section className="form-section" aria-labelledby="sign-in">
          <div>
            <h2 id="sign-in">Signing in</h2>
            <p className="hint mt-1">
              {user ? "Empty: it stays as it is." : "Empty: an invitation is sent, and the user sets it."}
            </p>
          </div>
          <div className="form-grid">
            <Field
              field={field("password")}
              label="Password"
              hint="At least 12 characters"
              type="password"
              autoComplete="new-password"
            />
            <Field
              field={field("password_confirmation")}
              label="Confirm password"
              type="password"
              autoComplete="new-password"
            />
          </div>
        </section>
        <div className="panel-foot flex flex-wrap items-center gap-3 !py-4 lg:!px-6">
          <button type="submit" className="btn btn-primary" name="go" value="save">
            {user ? "Update user" : "Add user"}
          </button>
          <Link className="btn btn-quiet" to="/users/list">
            Cancel
          </Link>
          {user && (
            <Link className="btn btn-plain !text-bad sm:ml-auto" to={openTo("remove")} preventScrollReset>
              <Trash2 className="ico" />
              Remove user
            </Link>
          )}
        </div>
      </Form>
      {user && open === "remove" && (
        <Dialog
          title={`Remove ${user.name}?`}
          lead={<p>They can’t sign in any more. Their documents and their history stay.</p>}
          closeTo={closeTo}
        >
          <Form method="post" action={closeTo} className="modal-foot">
            <CloseLink to={closeTo} />
            <button type="submit" className="btn btn-error" name="go" value="remove">
              Remove user
            </button>
          </Form>
        </Dialog>
      )}
    </>
  );
}

type ChosenProps = {
  field: FieldState;
  label: string;
  hint?: string;
  /** Stands for no choice. */
  none: string;
  from: { names: string[]; isOpen: boolean };
};

/** A name from a list, or where the list is not all, a box to type it in. */
function Chosen({ field, label, hint, none, from }: ChosenProps) {
  const list = `${field.id}-names`;
  if (!from.isOpen) {
    const named = from.names.map((name) => ({ value: name, label: name }));
    return <Field field={field} label={label} hint={hint} options={[{ value: "", label: none }, ...named]} />;
  }
  return (
    <>
      <Field field={field} label={label} hint={hint} list={list} autoComplete="off" />
      <datalist id={list}>
        {from.names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

/** After somebody else saved: what is kept now, beside what was typed. */
const SavedMeanwhile = ({ user }: { user: User }) => (
  <section className="panel mb-4 p-5" aria-labelledby="meanwhile">
    <h2 id="meanwhile">Saved meanwhile</h2>
    <p className="mb-2">Your entries are below. Update user puts them in place of these:</p>
    <p>
      {[user.name, user.email, user.phone, user.branch, user.role, user.staff, user.city, user.country]
        .filter(Boolean)
        .join(" · ")}
    </p>
  </section>
);

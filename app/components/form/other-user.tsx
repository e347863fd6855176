import { t } from "#lib/messages/staff.ts";
import { Facts } from "../record/facts.tsx";
import { Field, type InputControl } from "./field.tsx";
import { PageUserInput } from "./form.tsx";
import { type Entries, factsOf, labelOf } from "./other-user-facts.ts";
import { PageTitle } from "../frame/page-title.tsx";

type Named = { name: string; value: string };

/** A form that another user's session sent, as `server/sessions/page-user.ts` describes it. */
export type OtherUsersForm = {
  message: string;
  /** Undefined if the form does not say who opened it. */
  opener: Named | undefined;
  user: Named;
  /** Where the form was, and where it is sent to. */
  page: string;
  action: string;
  isMultipart: boolean;
  /** What was filled in, and all that is sent again. */
  typed: Entries;
  fields: Entries;
  /** Names of fields that are filled in again. */
  secrets: string[];
  files: { name: string; count: number }[];
  isOwnAccount: boolean;
  canSave: boolean;
};

/** Says that nothing was saved, and offers to save it as the user who is signed in. */
export function OtherUser(form: OtherUsersForm) {
  const { opener, user, page, fields, isOwnAccount, canSave } = form;
  const facts = factsOf(form);
  return (
    <div className="panel w-full max-w-[40rem] p-8 max-md:p-6">
      <PageTitle title={t("components.otherUser.nothingWasSaved")} hasErrors />
      <h1>{t("components.otherUser.nothingWasSaved")}</h1>
      <p className="mt-2 [overflow-wrap:anywhere]" role="alert">
        {opener
          ? t("components.otherUser.openedByAnother", { opener: opener.name, user: user.name })
          : t("components.otherUser.openedByUnknown", { user: user.name })}
      </p>
      {facts.length > 0 && (
        <section className="mt-6" aria-labelledby="typed">
          <h2 id="typed" className="mb-3">
            {t("components.otherUser.whatTheFormHas")}
          </h2>
          <Facts facts={facts} isNarrow />
        </section>
      )}
      {canSave ? (
        <>
          {isOwnAccount && <p className="notice is-warn mt-6">{t("components.otherUser.changesYourAccount")}</p>}
          <SaveForm {...form} />
        </>
      ) : (
        <p className="mt-6">{t("components.otherUser.canNotBeSaved", { user: user.name })}</p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        {opener && (
          <form method="post" action={`/logout?${new URLSearchParams({ next: page, keep: "" })}`}>
            <PageUserInput value={opener.value} />
            <Hidden fields={fields} />
            <button type="submit" className="btn btn-quiet">
              {t("components.otherUser.signInAs", { name: opener.name })}
            </button>
          </form>
        )}
        {/* A new document, for the user who is signed in. */}
        <a className="btn btn-quiet" href={page}>
          {t("components.otherUser.doNotSave")}
        </a>
      </div>
    </div>
  );
}

function SaveForm({ user, action, isMultipart, fields, secrets, files }: OtherUsersForm) {
  const again = [
    ...secrets.map((name) => ({ name, type: "password", Input: RequiredInput })),
    ...files.map(({ name, count }) => ({ name, type: "file", Input: count > 1 ? FilesInput : RequiredInput })),
  ];
  return (
    <form
      method="post"
      action={action}
      encType={isMultipart ? "multipart/form-data" : undefined}
      className="mt-6 grid gap-4"
    >
      <PageUserInput value={user.value} />
      <Hidden fields={fields} />
      {again.length > 0 && <p>{t("components.otherUser.enterAgain")}</p>}
      {again.map(({ name, type, Input }) => (
        <Field
          key={name}
          field={{ id: name, name }}
          label={labelOf(name)}
          type={type}
          Input={Input}
          autoComplete="off"
        />
      ))}
      <div>
        <button type="submit" className="btn btn-primary [overflow-wrap:anywhere]">
          {t("components.otherUser.saveAs", { name: user.name })}
        </button>
      </div>
    </form>
  );
}

const RequiredInput: InputControl = (props) => <input {...props} required />;
const FilesInput: InputControl = (props) => <input {...props} required multiple />;

const Hidden = ({ fields }: { fields: Entries }) =>
  fields.map(([name, value], n) => <input key={n} type="hidden" name={name} value={value} />);

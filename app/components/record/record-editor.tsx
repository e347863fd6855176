import { lazy } from "react";
import { ConflictNotice } from "../form/conflict-notice.tsx";
import { formId, useFormDialog } from "../dialog/dialog-button.tsx";
import { FormFoot } from "../form/form-foot.tsx";
import type { formState } from "../form/form-state.ts";
import { Form } from "../form/form.tsx";
import { ImageField } from "../form/image-field.tsx";
import { fieldsOf, type RecordSection } from "./record-fields.ts";
import { type RecordControls, RecordSections } from "./record-sections.tsx";

/** Browsers fetch its code when it is opened. */
const ConfirmDialog = lazy(async () => ({ default: (await import("../dialog/confirm-dialog.tsx")).ConfirmDialog }));

type Removal = {
  /** Names the record. */
  title: string;
  /** On the button: what is removed. */
  label: string;
  /** The effect, and what stays. */
  effect: string;
};

type RecordEditorProps = Omit<RecordControls, "field" | "controls"> & {
  form: ReturnType<typeof formState>;
  sections: RecordSection[];
  /** The record as it is saved; undefined while it is new. */
  saved: Record<string, string> | undefined;
  /** Whose picture the form shows, and its address if there is one. */
  picture?: { name: string; src: string | undefined } | undefined;
  submitLabel: string;
  cancelTo: string;
  removal?: Removal | undefined;
};

/** A record's form, which says what others saved meanwhile and can remove the record. */
export function RecordEditor({
  form,
  sections,
  saved,
  submitLabel,
  cancelTo,
  removal,
  picture,
  ...props
}: RecordEditorProps) {
  const { isOpen, closeTo, cancelForm } = useFormDialog(form, "remove");
  const { values, field, isStale, version } = form;
  return (
    <>
      <Form
        method="post"
        id={formId}
        data-unsaved={form.isReply ? "" : undefined}
        encType="multipart/form-data"
        className="panel"
        noValidate
      >
        {saved && <input type="hidden" name="version" value={version} />}
        {saved && isStale && (
          <ConflictNotice
            fields={fieldsOf(sections)}
            mine={values}
            theirs={saved}
            choices={props.choices}
            submitLabel={submitLabel}
          />
        )}
        <RecordSections
          sections={sections}
          field={field}
          controls={{ image: <ImageField key="image" field={field("image")} {...picture} /> }}
          {...props}
        />
        <FormFoot submitLabel={submitLabel} cancelTo={cancelTo} removal={removal?.label} />
      </Form>
      {removal && isOpen && (
        <ConfirmDialog
          title={removal.title}
          confirm={removal.label}
          intent="remove"
          isDanger
          closeTo={closeTo}
          cancelForm={cancelForm}
        >
          <p>{removal.effect}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

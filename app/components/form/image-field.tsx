import { t } from "#lib/messages/staff.ts";
import { Avatar } from "../user/avatar.tsx";
import { CheckboxField } from "./checkbox-field.tsx";
import { FieldError, type FieldState } from "./field.tsx";

type ImageFieldProps = {
  field: FieldState;
  /** The user or company in the picture. */
  name?: string;
  /** The current picture. */
  src?: string | undefined;
};

/** A picture to choose, beside the current one. Its form must be `multipart/form-data`. */
export function ImageField({ field: { id, name: fieldName, errors }, name = "", src }: ImageFieldProps) {
  const error = errors?.[0];
  return (
    <div className={`field ${error ? "field-bad" : ""}`}>
      <label htmlFor={id}>{t("components.imageField.image")}</label>
      <p className="hint" id={`${id}-hint`}>
        {t("components.imageField.hint")}
      </p>
      {error && <FieldError id={`${id}-error`} message={error} />}
      <div className="flex items-center gap-3">
        <Avatar name={name} src={src} />
        <input
          className="file-input min-w-0 flex-1"
          type="file"
          id={id}
          name={fieldName}
          accept=".jpg,.jpeg,.png,.webp"
          aria-invalid={error ? true : undefined}
          aria-describedby={`${error ? `${id}-error ` : ""}${id}-hint`}
        />
      </div>
      {src && (
        <CheckboxField
          field={{ id: `remove_${id}`, name: "remove_image" }}
          label={t("components.imageField.removeTheImage")}
        />
      )}
    </div>
  );
}

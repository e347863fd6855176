import { Avatar } from "./avatar.tsx";
import { CheckboxField, FieldError, type FieldState } from "./field.tsx";

type ImageFieldProps = {
  field: FieldState;
  /** The name of the record. */
  name: string;
  /** The address of the current image. */
  src: string | undefined;
};

/** A file input for an image, beside the current one. The form is sent as `multipart/form-data`. */
export function ImageField({ field: { id, name: fieldName, errors }, name, src }: ImageFieldProps) {
  const error = errors?.[0];
  return (
    <div className={`field ${error ? "field-bad" : ""}`}>
      <label htmlFor={id}>Image</label>
      <p className="hint" id={`${id}-hint`}>
        JPG, PNG or WebP, up to 10 MB
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
      {src && <CheckboxField field={{ id: `remove_${id}`, name: "remove_image" }} label="Remove the image" />}
    </div>
  );
}

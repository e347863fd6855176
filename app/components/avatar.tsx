type AvatarProps = { name: string; src?: string | undefined; isLarge?: boolean };

/** The image of a user, branch or company over its initials; hidden from screen readers, as the name stands beside it. */
export const Avatar = ({ name, src, isLarge = false }: AvatarProps) => (
  <span className={isLarge ? "initials initials-large" : "initials"} aria-hidden="true">
    {initialsOf(name)}
    {/* If it fails to load, the initials stay visible. */}
    {src && <img src={src} alt="" />}
  </span>
);

/** `HM` of Helen Marsh, `H` of helen@hallam.example, `HR` of Hallam & Reid Ltd. */
const initialsOf = (name: string) =>
  name
    .split("@")[0]!
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .map((word) => [...word].slice(0, 1).join("").toUpperCase())
    .slice(0, 2)
    .join("");

/** The address of a record's image; `path` is like `users/3`. A new image has a new address. */
export const imageSrc = (path: string, imageUrl: string) =>
  imageUrl ? `/files/${path}/image${URL.parse(imageUrl, "http://provider/")?.search ?? ""}` : undefined;

type AvatarProps = { name: string; src?: string | undefined; isLarge?: boolean };

/** The picture of a user, a branch or the company, over its initials. Decorative: the name is beside it. */
export const Avatar = ({ name, src, isLarge = false }: AvatarProps) => (
  <span className={isLarge ? "initials initials-large" : "initials"} aria-hidden="true">
    {initialsOf(name)}
    {/* If it fails to load, the initials show. */}
    {src && <img src={src} alt="" />}
  </span>
);

/** `HM` for Helen Marsh, `H` for helen@hallam.example, `HR` for Hallam & Reid Ltd. */
const initialsOf = (name: string) =>
  name
    .split("@")[0]!
    .split(/\s+/)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
    .map((word) => [...word].slice(0, 1).join("").toUpperCase())
    .slice(0, 2)
    .join("");

/** The address of a record's picture; `path` is like `users/3`. A new picture has a new address. */
export const imageSrc = (path: string, imageUrl: string) =>
  imageUrl ? `/files/${path}/image${URL.parse(imageUrl, "http://provider/")?.search ?? ""}` : undefined;

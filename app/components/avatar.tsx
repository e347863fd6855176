type AvatarProps = { name: string; src?: string | undefined; isLarge?: boolean };

/** The picture of a user, a branch or the company, over its initials. It says no more than the name beside it. */
export const Avatar = ({ name, src, isLarge = false }: AvatarProps) => (
  <span className={isLarge ? "initials initials-large" : "initials"} aria-hidden="true">
    {initialsOf(name)}
    {/* One that can't be had leaves the initials in sight. */}
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

/** Where browsers find a record's picture; `path` is like `users/3`. A new picture has a new address. */
export const imageSrc = (path: string, imageUrl: string) =>
  imageUrl ? `/files/${path}/image${URL.parse(imageUrl, "http://provider/")?.search ?? ""}` : undefined;

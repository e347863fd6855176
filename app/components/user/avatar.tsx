type AvatarProps = { name: string; src?: string | undefined; isLarge?: boolean };

/** The picture of a user, a branch or the company, over its initials. Decorative: the name is beside it. */
export const Avatar = ({ name, src, isLarge = false }: AvatarProps) => (
  <span className={isLarge ? "initials initials-large" : "initials"} aria-hidden="true">
    {initialsOf(name)}
    {/* If it fails to load, the initials show. */}
    {src && <img src={src} alt="" />}
  </span>
);

/** `HM` for Helen Marsh, `H` for helen@hallam.example, `HR` for Hallam & Reid Ltd, the first sign if no word has a letter. */
export function initialsOf(name: string) {
  const words = name.replaceAll(/@.*|[\p{Default_Ignorable_Code_Point}\p{C}\u2800]/gu, "").match(/\S+/g) ?? ["?"];
  const lettered = words.filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return (lettered[0] ? lettered.slice(0, 2) : words.slice(0, 1)).map(firstSign).join("").toUpperCase();
}

/** A letter with its marks, or an emoji, however many code points it has. */
const firstSign = (word: string) => /^(\p{RI}{2}|.[\p{M}\p{EMod}]*)/u.exec(word)![0];

/** The address of a record's picture; `path` is like `users/3`. A new picture has a new address. */
export const imageSrc = (path: string, imageUrl: string) =>
  imageUrl ? `/files/${path}/image${URL.parse(imageUrl, "http://provider/")?.search ?? ""}` : undefined;

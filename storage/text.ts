/** Text as it is searched and compared: case-folded, in one Unicode form. In SQL it is `fold(…)`. */
export const fold = (text: string) => text.normalize("NFC").toLocaleLowerCase("en");

import type { FormatOptions } from "icu-minify/format";

/** More than there are languages and time zones at once; names of zones come from providers. */
const maxFormats = 500;

/** Formats of `Intl` cost a hundred times a sentence, so each is made once. */
export function stored<Options, Format>(make: (tag: string, options?: Options) => Format) {
  const formats = new Map<string, Format>();
  return (tag: string, options?: Options): Format => {
    const key = `${tag} ${JSON.stringify(options)}`;
    const cached = formats.get(key);
    if (cached) return cached;
    if (formats.size >= maxFormats) formats.clear();
    const format = make(tag, options);
    formats.set(key, format);
    return format;
  };
}

export const dateFormat = stored<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>((tag, options) =>
  Intl.DateTimeFormat(tag, options),
);
export const numberFormat = stored<Intl.NumberFormatOptions, Intl.NumberFormat>((tag, options) =>
  Intl.NumberFormat(tag, options),
);
export const pluralRules = stored<Intl.PluralRulesOptions, Intl.PluralRules>(
  (tag, options) => new Intl.PluralRules(tag, options),
);

/** The formatters of messages; dates come as texts. */
export const formatters = {
  getNumberFormat: numberFormat,
  getPluralRules: pluralRules,
} as FormatOptions["formatters"];

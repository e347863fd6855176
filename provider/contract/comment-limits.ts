/** Limits of work on alerts. Without zod, which would make pages large. */

/** Comments on one alert. */
export const maxComments = 200;
/** Colleagues whom one comment mails. */
export const maxMentions = 10;
/** Colleagues that a list to choose from shows; others are found by name, or typed. */
export const maxColleagues = 200;

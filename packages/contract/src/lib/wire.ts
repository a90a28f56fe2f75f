import { z } from 'zod';
import { hasAtMost } from './characters.ts';
import '../text/error-map.ts';
import { limits } from './limits.ts';
import { numberText } from './number-text.ts';
import { messages } from '../text/messages.ts';
import { isVisibleName } from './visible-name.ts';
import { canParseUrl } from './can-parse-url.ts';

/** An error response: one sentence for the user and, for invalid fields, a message for each. */
export const Failure = z.object({
  data: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type Failure = z.infer<typeof Failure>;

/** Schema of a successful response with `schema` as its data. */
export const envelope = <T extends z.ZodType>(schema: T) => z.object({ data: schema });

/** A UUID in lower case, as the database returns it. */
export const Uuid = z
  .uuid({
    error: ({ input }) =>
      input === undefined || input === null || input === '' ? messages.required : messages.notAnId,
  })
  .toLowerCase();

/** An ISO 8601 timestamp in UTC. */
export const Timestamp = z.iso.datetime();

/** A date, YYYY-MM-DD, in the company's time zone. */
export const CalendarDate = z.iso.date('Dates are written YYYY-MM-DD');

/** Path parameters with a `uuid`. */
export const UuidParams = z.object({ uuid: Uuid });

/** The created_at range of list queries; both ends inclusive. */
export const CreatedRange = z.object({
  start_date: CalendarDate.default(limits.dateMin),
  end_date: CalendarDate.default(limits.dateMax),
});
export type CreatedRange = z.infer<typeof CreatedRange>;

/** The bounds of a {@link CreatedRange} in UTC, limited to the supported years: `from` inclusive, `before` exclusive. */
export function createdBounds(range: CreatedRange): { from: Date; before: Date } {
  const instant = (day: string) =>
    Date.parse(day < limits.dateMin ? limits.dateMin : day > limits.dateMax ? limits.dateMax : day);
  return {
    from: new Date(instant(range.start_date)),
    before: new Date(instant(range.end_date) + 86_400_000),
  };
}

export const Page = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(25),
});
export type Page = z.infer<typeof Page>;

/** Limits a text to `max` characters as {@link hasAtMost} counts them, which a JSON schema cannot say. */
const withAtMost = (schema: z.ZodString, max: number, message = `At most ${max} characters`) =>
  schema
    .refine((text) => hasAtMost(text, max), message)
    .describe(`At most ${max} characters. An emoji is one.`);

/** A title: 1-50 visible characters after trimming. */
export const title = (tooLong: string = messages.titleTooLong) =>
  withAtMost(z.string().trim().min(1, messages.required), limits.titleMax, tooLong).refine(
    isVisibleName,
    messages.nameHidden,
  );

/** An optional description of at most 200 characters; absent and null become the empty string. */
export const description = withAtMost(z.string().trim(), limits.descriptionMax, messages.descriptionTooLong)
  .nullish()
  .transform((value) => value ?? '');

/** An optional text of an ad; absent and null become the empty string. */
export const adText = (max: number) =>
  withAtMost(z.string().trim(), max)
    .nullish()
    .transform((value) => value ?? '');

const required = z.string().trim().min(1, { error: messages.required, abort: true });

/** A required, trimmed text. */
export const requiredText = (max: number) => required.max(max, `At most ${max} characters`);

/** A required name of visible characters, trimmed. */
export const requiredName = (max: number) =>
  withAtMost(required, max).refine(isVisibleName, messages.nameHidden);

/** A required http or https URL, which may contain macros. */
export const HttpUrl = requiredText(limits.urlMax).refine(isHttpUrl, messages.httpUrl);

/** An optional URL of a form; the empty string means none. */
export const HttpUrlOrEmpty = z
  .string()
  .trim()
  .max(limits.urlMax, `At most ${limits.urlMax} characters`)
  .refine((value) => value === '' || isHttpUrl(value), messages.httpUrl);

/** Whether a text is an http or https URL, apart from macros in braces. */
export function isHttpUrl(value: string): boolean {
  // Macros in braces are allowed in tracking links, but not in every position of a URL.
  const plain = value.replaceAll(/\{[a-z_]+\}/g, 'x');
  return canParseUrl(plain) && /^https?:$/.test(new URL(plain).protocol);
}

const texts = z
  .array(z.string().trim().min(1).max(200))
  .max(limits.listMax)
  .refine(
    (values) => values.reduce((sum, { length }) => sum + length, 0) <= limits.listTextMax,
    messages.listText,
  );

/** At most 1000 short texts with 40,000 characters in all; absent and null become the empty list; deduplicated. */
export const textList = texts.nullish().transform((values) => [...new Set(values ?? [])]);

/** An optional amount of dollars, 0 or at least a cent; absent becomes null. */
export const optionalDollars = z
  .number('Enter a number')
  .min(0, 'Enter 0 or more')
  .max(limits.budgetMaxDollars, `At most $${numberText(limits.budgetMaxDollars)}`)
  .refine((value) => value === 0 || value >= limits.amountMinDollars || value < 0, messages.belowCent)
  .nullish()
  .transform((value) => value ?? null);

/** Request header with the id of the browser tab, so that a page can ignore live updates of its own changes. */
export const TAB_HEADER = 'x-tab';

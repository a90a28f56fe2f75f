import { z } from 'zod';
import './error-map.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';

/** A failure on the wire: one sentence for a person and, where fields are at fault, a message for each. */
export const Failure = z.object({
  data: z.string(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
export type Failure = z.infer<typeof Failure>;

/** The success envelope around `schema`. */
export const envelope = <T extends z.ZodType>(schema: T) => z.object({ data: schema });

/** In lower case, as the database answers it. */
export const Uuid = z.uuid(messages.required).toLowerCase();

/** ISO 8601 UTC, as answered. */
export const Timestamp = z.iso.datetime();

/** YYYY-MM-DD in the company's time zone. */
export const CalendarDate = z.iso.date('Dates are written YYYY-MM-DD');

/** `uuid` in a path. */
export const UuidParams = z.object({ uuid: Uuid });

/** The created_at range that lists take; both ends inclusive. */
export const CreatedRange = z.object({
  start_date: CalendarDate.default(limits.dateMin),
  end_date: CalendarDate.default(limits.dateMax),
});
export type CreatedRange = z.infer<typeof CreatedRange>;

/** The instants of a {@link CreatedRange}: from the first day's start, up to and without `before`; UTC, within our years. */
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

/** A title: 1-50 characters after trimming. */
export const title = (tooLong: string = messages.titleTooLong) =>
  z.string(messages.required).trim().min(1, messages.required).max(limits.titleMax, tooLong);

/** An optional description of at most 200 characters; absent and null are the empty text. */
export const description = z
  .string()
  .trim()
  .max(limits.descriptionMax, messages.descriptionTooLong)
  .nullish()
  .transform((value) => value ?? '');

/** Any required text. */
export const requiredText = (max: number) =>
  z
    .string(messages.required)
    .trim()
    .min(1, { error: messages.required, abort: true })
    .max(max, `At most ${max} characters`);

/** A required address that a browser or a store app can open. */
export const HttpUrl = requiredText(limits.urlMax).refine(isHttpUrl, messages.httpUrl);

/** An optional address as a form holds it: the empty text is none. */
export const HttpUrlOrEmpty = z
  .string()
  .trim()
  .max(limits.urlMax, `At most ${limits.urlMax} characters`)
  .refine((value) => value === '' || isHttpUrl(value), messages.httpUrl);

/** An optional address of a call: null and the empty text remove it, absent leaves what is stored. */
export const optionalHttpUrl = HttpUrlOrEmpty.transform((value) => value || null).nullish();

function isHttpUrl(value: string): boolean {
  // Macros in braces are legal in our links and illegal in some positions of a URL.
  const plain = value.replaceAll(/\{[a-z_]+\}/g, 'x');
  return URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol);
}

const texts = z
  .array(z.string().trim().min(1).max(200))
  .max(limits.listMax)
  .refine(
    (values) => values.reduce((sum, { length }) => sum + length, 0) <= limits.listTextMax,
    messages.listText,
  );

/** A list of short texts, at most 1000 and 40,000 characters in all; absent and null are the empty list; duplicates go. */
export const textList = texts.nullish().transform((values) => [...new Set(values ?? [])]);

/** Optional dollars, 0 or at least a cent; null and absent are null. */
export const optionalDollars = z
  .number('Enter a number')
  .min(0, 'Enter 0 or more')
  .max(limits.budgetMaxDollars, `At most $${limits.budgetMaxDollars.toLocaleString('en-US')}`)
  .refine((value) => value === 0 || value >= limits.amountMinDollars || value < 0, messages.belowCent)
  .nullish()
  .transform((value) => value ?? null);

/** The header by which a page says which tab it is: what it changed itself it need not be told was changed elsewhere. */
export const TAB_HEADER = 'x-tab';

import { z } from 'zod';

/** Why a line of a file has no id that can be used. */
export const LineFault = z.enum(['no_id', 'zeros', 'ambiguous', 'other_kind', 'too_long']);
export type LineFault = z.infer<typeof LineFault>;

/** A line of a file without an id that can be used, and what is wrong with it. */
export const InvalidLine = z.object({ line: z.number().int(), fault: LineFault });
export type InvalidLine = z.infer<typeof InvalidLine>;

/** A fault as it follows the number of its line. */
export const lineFaultTexts: Readonly<Record<LineFault, string>> = {
  no_id: 'no id',
  zeros: 'an id of zeros',
  ambiguous: 'an MD5 or an id without hyphens: say which in the settings of the audience',
  other_kind: 'another kind of id than the first one',
  too_long: 'too long for an id',
};

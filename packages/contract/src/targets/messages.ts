import { firstNames } from '../lib/first-names.ts';

/** Wrong entries that a message names at most. */
const NAMED_MAX = 3;

/** Messages of targets for users, some shared by server and console. The forms of lists name the entries that are wrong. */
export const targetMessages = {
  versionOrder: 'The newest version is older than the oldest',
  cityForm: (wrong: readonly string[]) =>
    `${firstNames(wrong, NAMED_MAX)}: write the country, or a region of it, and the name, such as DE:Berlin or US-OR:Portland`,
  postalForm: (wrong: readonly string[]) =>
    `${firstNames(wrong, NAMED_MAX)}: write the country and the beginning of the code, such as US:900`,
  carrierForm: (wrong: readonly string[]) =>
    `${firstNames(wrong, NAMED_MAX)}: write the name of a carrier, at most 100 characters, or its numbers, such as 310-410`,
} as const;

import data from './common-passwords.json' with { type: 'json' };

/** The 10,000 most common passwords of at least six characters, in lower case. The data file names their source. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(data.passwords);

import { z } from 'zod';
import { messages } from './messages.ts';
import { numberText } from '../lib/number-text.ts';
import { truncate } from '../lib/truncate.ts';

/** A validation issue of Zod. */
type Issue = Parameters<NonNullable<z.core.$ZodConfig['customError']>>[0];

const typeMessages: Record<string, string> = {
  string: 'Enter a text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Choose yes or no',
  array: 'Enter a list',
  file: messages.invalidFileType,
};

const formats: Record<string, string> = {
  email: messages.emailInvalid,
  url: messages.httpUrl,
  date: 'Dates are written YYYY-MM-DD',
};

/** The message for an issue without one of its own, so that Zod's default messages are never shown. */
export function messageOf(issue: Issue): string {
  const { input } = issue;
  // Forms have NaN for a number that is not entered.
  if (input === undefined || input === null || input === '' || Number.isNaN(input)) return messages.required;
  switch (issue.code) {
    case 'invalid_type':
      return typeMessages[issue.expected] ?? messages.notValid;
    case 'too_big': {
      if (issue.origin === 'string') return `At most ${String(issue.maximum)} characters`;
      if (issue.origin === 'array' || issue.origin === 'set')
        return `At most ${String(issue.maximum)} entries`;
      return `At most ${String(issue.maximum)}`;
    }
    case 'too_small': {
      const isCount = issue.origin === 'string' || issue.origin === 'array' || issue.origin === 'set';
      if (isCount && Number(issue.minimum) === 1) return messages.required;
      if (issue.origin === 'string') return `At least ${String(issue.minimum)} characters`;
      if (isCount) return `At least ${String(issue.minimum)} entries`;
      return `At least ${String(issue.minimum)}`;
    }
    case 'invalid_format':
      return formats[issue.format] ?? messages.notValid;
    case 'invalid_value':
      return issue.values.length > 1 && issue.values.length <= 12
        ? `Choose one of ${issue.values.map(String).join(', ')}`
        : messages.notValid;
    case 'unrecognized_keys':
      return noFields(issue.keys);
    default:
      return messages.notValid;
  }
}

/** Unknown fields that a message names at most. */
const FIELDS_NAMED = 10;

function noFields(keys: readonly string[]): string {
  const named = keys.slice(0, FIELDS_NAMED).map((key) => `“${truncate(key, 50)}”`);
  const more = keys.length - named.length;
  return `There is no field ${named.join(', ')}${more > 0 ? ` and ${numberText(more)} more` : ''}`;
}

z.config({ customError: messageOf });

import { z } from 'zod';
import { messages } from './messages.ts';
import { truncate } from './truncate.ts';

/** A validation issue of Zod. */
type Fault = Parameters<NonNullable<z.core.$ZodConfig['customError']>>[0];

const wanted: Record<string, string> = {
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
export function messageOf(fault: Fault): string {
  const { input } = fault;
  if (input === undefined || input === null || input === '') return messages.required;
  switch (fault.code) {
    case 'invalid_type':
      return wanted[fault.expected] ?? messages.notValid;
    case 'too_big': {
      if (fault.origin === 'string') return `At most ${String(fault.maximum)} characters`;
      if (fault.origin === 'array' || fault.origin === 'set')
        return `At most ${String(fault.maximum)} entries`;
      return `At most ${String(fault.maximum)}`;
    }
    case 'too_small': {
      const isCount = fault.origin === 'string' || fault.origin === 'array' || fault.origin === 'set';
      if (isCount && Number(fault.minimum) === 1) return messages.required;
      if (fault.origin === 'string') return `At least ${String(fault.minimum)} characters`;
      if (isCount) return `At least ${String(fault.minimum)} entries`;
      return `At least ${String(fault.minimum)}`;
    }
    case 'invalid_format':
      return formats[fault.format] ?? messages.notValid;
    case 'invalid_value':
      return fault.values.length > 1 && fault.values.length <= 12
        ? `Choose one of ${fault.values.map(String).join(', ')}`
        : messages.notValid;
    case 'unrecognized_keys':
      return `There is no field ${fault.keys.map((key) => `“${truncate(key, 50)}”`).join(', ')}`;
    default:
      return messages.notValid;
  }
}

z.config({ customError: messageOf });

import type { DestinationStream } from 'pino';

/** Names of pino's levels. */
const LEVELS: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
/** Fields that say nothing to a person who reads a terminal. */
const OMITTED = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'v']);

/** Writes the lines of pino, which are JSON, as plain text for a person at a terminal. */
export function plainLog(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(plainLine(line)) };
}

/** A line of pino as text: `20:15:03 warning: the message (field: value)`, followed by the stack of an error. Pure. */
export function plainLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & {
    level: number;
    time: number;
    err?: { message?: string; stack?: string };
  };
  const at = new Date(time).toTimeString().slice(0, 8);
  const fields = Object.entries(rest)
    .filter(([name]) => !OMITTED.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const details = fields.length > 0 ? ` (${fields.join(', ')})` : '';
  const stack = err === undefined ? '' : `\n  ${(err.stack ?? err.message ?? '').replaceAll('\n', '\n  ')}`;
  return `${at} ${LEVELS[level] ?? level}: ${typeof msg === 'string' ? msg : ''}${details}${stack}\n`;
}

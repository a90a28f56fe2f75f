import { type DestinationStream, type LevelWithSilent, type LogFn, type Logger, pino } from 'pino';
import { lruCache } from '../lru-cache.ts';
import { currentRequest } from './request-id.ts';
import { currentTrace } from './tracing.ts';

/** Period in which equal warnings and errors are written once, ms. */
export const REPEAT_MS = 10_000;
/** Distinct lines tracked at once; beyond that the oldest may be repeated early. */
const LINES_MAX = 500;
const WARN = 40;

interface Line {
  /** When it may be written again, by the monotonic clock. */
  againAtMs: number;
  suppressed: number;
}

/**
 * Creates the process's logger: JSON for programs, plain lines on a terminal. Lines of a request have its id (`reqId`), and lines of a trace have its ids.
 * A warning or error equal to one of the last ten seconds is counted instead of written;
 * the count is written afterwards as `suppressed` with the same line, because an outage repeats a line thousands of
 * times. Lines are equal when their message, the error's name, code and text without numbers, the job and the route are.
 */
export function createLogger(level: LevelWithSilent, destination?: DestinationStream): Logger {
  const lines = lruCache<string, Line>(LINES_MAX);
  const options = {
    level,
    mixin: () => ({ ...requestFields(), ...currentTrace() }),
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, lineLevel: number): void {
        const write = (suppressed: number): void => {
          if (lineLevel >= WARN) keepWarning(lineLevel, args);
          if (suppressed === 0) return method.apply(this, args);
          const [first, ...rest] = args as unknown[];
          const fields = typeof first === 'object' && first !== null ? withError(first) : {};
          const message = typeof first === 'string' ? [first, ...rest] : rest;
          method.apply(this, [{ ...fields, suppressed }, ...message] as unknown as Parameters<LogFn>);
        };
        if (lineLevel < WARN) return write(0);
        const key = keyOf(args);
        const line = lines.get(key);
        const nowMs = performance.now();
        if (!line || (nowMs >= line.againAtMs && line.suppressed === 0)) {
          lines.set(key, { againAtMs: nowMs + REPEAT_MS, suppressed: 0 });
          return write(0);
        }
        line.suppressed += 1;
        if (line.suppressed > 1) return;
        // The count is written at the end of the period, whether or not the line comes again.
        setTimeout(() => {
          write(line.suppressed);
          line.suppressed = 0;
          line.againAtMs = performance.now() + REPEAT_MS;
        }, line.againAtMs - nowMs).unref();
      },
    },
  };
  if (destination) return pino(options, destination);
  return process.stdout.isTTY
    ? pino(
        options,
        plainLog((text) => process.stdout.write(text)),
      )
    : pino(options);
}

function requestFields(): object | null {
  const reqId = currentRequest()?.id;
  return reqId === undefined ? null : { reqId };
}

function withError(fields: object): object {
  return fields instanceof Error ? { err: fields } : fields;
}

function keyOf(args: readonly unknown[]): string {
  const [first] = args;
  const fields = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {};
  const err = first instanceof Error ? first : fields['err'];
  return [
    args.find((arg) => typeof arg === 'string'),
    fields['job'],
    fields['url'],
    ...(err instanceof Error ? [err.name, (err as { code?: unknown }).code, plain(err.message)] : []),
  ].join('\n');
}

/** Replaces numbers and ids, which differ from one time to the next. */
function plain(text: string): string {
  return text.slice(0, 200).replaceAll(/[0-9a-f-]+/gi, (run) => (/\d/.test(run) ? '#' : run));
}

/** Writes the lines of pino, which are JSON, as plain text for a person at a terminal. */
export function plainLog(write: (text: string) => void): DestinationStream {
  return { write: (line) => write(plainLine(line)) };
}

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

/** A line of pino as text: `20:15:03 warning: the message (field: value)`, followed by the stack of an error. Pure. */
function plainLine(line: string): string {
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

/** A line of the log at level warn or above. */
interface RecentWarning {
  at: string;
  level: 'warn' | 'error' | 'fatal';
  message: string;
  /** The job that failed; '' if it is not about a job. */
  job: string;
}

const KEPT = 20;
const CHARS_MAX = 300;
const ERROR = 50;
const FATAL = 60;
const recent: RecentWarning[] = [];

/** Keeps a line for the operator console; the oldest of more than {@link KEPT} goes. */
function keepWarning(level: number, args: readonly unknown[]): void {
  const [first] = args;
  const fields = typeof first === 'object' && first !== null ? (first as Record<string, unknown>) : {};
  const err = first instanceof Error ? first : fields['err'];
  const text = args.find((arg) => typeof arg === 'string') ?? '';
  const message = err instanceof Error ? [text, err.message].filter(Boolean).join(': ') : text;
  const { job } = fields;
  recent.unshift({
    at: new Date().toISOString(),
    level: level >= FATAL ? 'fatal' : level >= ERROR ? 'error' : 'warn',
    message: message.slice(0, CHARS_MAX),
    job: typeof job === 'string' ? job : '',
  });
  recent.length = Math.min(recent.length, KEPT);
}

/** The last warnings and errors of this process, newest first. */
export function recentWarnings(): readonly RecentWarning[] {
  return recent;
}

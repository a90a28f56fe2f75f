/** A line of the log at level warn or above. */
export interface RecentWarning {
  at: string;
  level: 'warn' | 'error' | 'fatal';
  message: string;
  /** The job that failed; '' where it is none. */
  job: string;
}

const KEPT = 20;
const CHARS_MAX = 300;
const ERROR = 50;
const FATAL = 60;

const recent: RecentWarning[] = [];

/** Keeps a line for the operator console; the oldest of more than {@link KEPT} goes. */
export function keepWarning(level: number, args: readonly unknown[]): void {
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

/** Poll interval in ms for deliveries that wait for their first try: a user may have just sent one and is watching. */
const FIRST_TRY_MS = 2000;
/** Poll interval in ms for deliveries that wait for a retry: retries continue for a day. */
const RETRY_MS = 30_000;

/** Poll interval in ms for deliveries that are retried automatically. */
interface Sent {
  status: string;
  /** Tries that have begun. */
  attempts: number;
  /** Why the last try failed; null before its end, and where there was a response. */
  error: string | null;
}

/** The milliseconds until a list of deliveries is read again; false if none of them waits, and before the list is known. Pure. */
export function pollInterval(sent: readonly Sent[] | undefined): number | false {
  if (!sent) return false;
  const waiting = sent.filter(({ status }) => status === 'waiting');
  if (waiting.length === 0) return false;
  return waiting.some(isFirstTry) ? FIRST_TRY_MS : RETRY_MS;
}

/** Whether the first try is due or under way. After a refusal with a response it also seems so, until the second try seconds later. */
const isFirstTry = ({ attempts, error }: Sent): boolean => attempts <= 1 && error === null;

import type { Logger } from 'pino';

/** Waits for a part of the stop, and goes on without it after `ms`. Resolves with whether it came to its end. */
export async function inTime(
  name: string,
  ms: number,
  log: Logger,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    if (ms !== Infinity) timer = setTimeout(() => resolve(false), ms);
  });
  const ended = work().then(
    () => true,
    (err: unknown) => {
      log.error({ err, part: name }, 'a part of the server could not be stopped');
      return true;
    },
  );
  const inTime = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (!inTime) log.warn({ part: name }, 'a part of the server did not stop in time; the others are stopped');
  return inTime;
}

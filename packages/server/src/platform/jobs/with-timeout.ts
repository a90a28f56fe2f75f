import type { Logger } from 'pino';

/**
 * Runs one step of the shutdown, and stops waiting for it after `ms`. Resolves with whether it ended in time. A failure
 * is logged and counts as an end.
 */
export async function withTimeout(
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
      log.error({ err, part: name }, 'a part of the server failed to stop');
      return true;
    },
  );
  const isInTime = await Promise.race([ended, late]);
  clearTimeout(timer);
  if (!isInTime)
    log.warn({ part: name }, 'a part of the server did not stop in time; stopping the remaining parts');
  return isInTime;
}

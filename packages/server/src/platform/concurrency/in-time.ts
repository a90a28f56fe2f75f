/**
 * Settles as `work` does, or rejects with an error of this class and message after `ms`; the work itself goes on.
 * Infinity is no limit. A result that arrived while the process was paused is not late.
 */
export async function inTime<T>(
  work: Promise<T>,
  ms: number,
  message: string,
  Late: new (message: string) => Error = Error,
): Promise<T> {
  if (ms === Infinity) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Timers come before what has arrived on sockets.
    timer = setTimeout(() => setImmediate(() => reject(new Late(message))), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

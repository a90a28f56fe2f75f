/** Expiry of the lock: a tab that was closed must not block the others for good. */
const HELD_MS = 10_000;
const POLL_MS = 40;

/**
 * Runs `work` while no other tab of this browser runs work under the same name. Uses Web Locks, or an entry in local
 * storage where they are missing: on a page served over plain http from another host.
 */
export async function withTabLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | null | undefined;
  if (locks) return (await locks.request(name, work)) as T;
  const key = `bidwell.lock.${name}`;
  const mine = Math.random().toString(36).slice(2);
  for (;;) {
    const [, until = '0'] = (localStorage.getItem(key) ?? '').split(':');
    if (Number(until) < Date.now()) {
      localStorage.setItem(key, `${mine}:${Date.now() + HELD_MS}`);
      // The last writer wins; both of two concurrent writers check again.
      await pause();
      if (localStorage.getItem(key)?.startsWith(`${mine}:`)) break;
    }
    await pause();
  }
  try {
    return await work();
  } finally {
    if (localStorage.getItem(key)?.startsWith(`${mine}:`)) localStorage.removeItem(key);
  }
}

const pause = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, POLL_MS);
  });

/** How a bench and its load, which runs in a process of its own, speak: one order at a time, one answer each. */
import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A load that runs and waits for orders. */
export interface Load<Order, Answer> {
  child: ChildProcess;
  /** Throws where the load ends before it answers. */
  run(order: Order): Promise<Answer>;
}

/** Starts a program of this folder, which calls {@link obey}; answers once it is ready. */
export async function startLoad<Order extends object, Answer>(
  program: string,
  args: readonly string[] = [],
): Promise<Load<Order, Answer>> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the load ended early: ${String(code)}`);
  });
  // Who waits for an answer learns of it; who does not has ended the load.
  failed.catch(() => {});
  await Promise.race([once(child, 'message'), failed]);
  return {
    child,
    async run(order) {
      child.send(order);
      const [answer] = await Promise.race([once(child, 'message'), failed]);
      return answer as Answer;
    },
  };
}

/** In the load: does what each order asks, and answers. */
export function obey(work: (order: never) => Promise<unknown>): void {
  process.on('message', (order) => {
    work(order as never).then(
      (answer) => process.send?.(answer ?? null),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.send?.('ready');
}

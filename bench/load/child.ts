/** Communication between a bench and its load in a child process: one order at a time, with one answer each. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A load process that waits for orders. */
export interface Load<Order, Answer> {
  child: ChildProcess;
  /** Runs an order and resolves to its answer. Throws if the process exits first. */
  run(order: Order): Promise<Answer>;
}

/** Starts a program of this folder, which calls {@link handleOrders}; resolves once it is ready. */
export async function startLoad<Order extends object, Answer>(
  program: string,
  args: readonly string[] = [],
): Promise<Load<Order, Answer>> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args);
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the load ended early: ${String(code)}`);
  });
  // A pending `run` rejects; otherwise the bench itself ended the process, which is no error.
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

/** In the load process: runs `work` for each order and sends its result. */
export function handleOrders(work: (order: never) => Promise<unknown>): void {
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

/** Runs `work` on every item in order, with a concurrency limit of `limit`. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

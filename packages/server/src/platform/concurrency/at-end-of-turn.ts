/**
 * Returns a function that takes an item for `act`, which is called with all items of a turn of the event loop after the sockets
 * were read. A response that is sent while sockets are read lets its client send again in the same turn; libuv then polls up to 48
 * times before timers and all other work of the process.
 */
export function atEndOfTurn<Item>(act: (items: readonly Item[]) => void): (item: Item) => void {
  let items: Item[] = [];
  const end = (): void => {
    const all = items;
    items = [];
    act(all);
  };
  return (item) => {
    if (items.push(item) === 1) setImmediate(end);
  };
}

/**
 * All items of a list that is read by pages, in their order. `read` reads a page by its number, from 1, and `items` takes the items
 * from it. Ends at a page without items, or when as many were read as the last page says there are.
 */
export async function* paginate<Page extends { total: number }, Item>(
  read: (page: number) => Promise<Page>,
  items: (page: Page) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let seen = 0;
  for (let number = 1; ; number += 1) {
    const page = await read(number);
    const found = items(page);
    yield* found;
    seen += found.length;
    if (found.length === 0 || seen >= page.total) return;
  }
}

import type { Page } from '@playwright/test';

/** Resolves once the page's next websocket is connected to its channels. */
export function connection(page: Page): Promise<unknown> {
  return new Promise((connected) => {
    page.once('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => String(payload).includes('"connect":') && connected(null)),
    );
  });
}

import type { Balance } from '@bidwell/contract/finance/schema';
import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { BalanceNote } from './finances-screen.tsx';

test.each([
  [{ balance: 1, credit_limit: 0 }, false],
  [{ balance: 0, credit_limit: 0 }, true],
  [{ balance: -5, credit_limit: 20 }, false],
  [{ balance: -20, credit_limit: 20 }, true],
])('with %j, campaigns have stopped: %s', (funds, isStopped) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <BalanceNote balance={funds as Balance} />
    </MantineProvider>,
  );
  expect(html.includes('no campaign bids until it is topped up')).toBe(isStopped);
});

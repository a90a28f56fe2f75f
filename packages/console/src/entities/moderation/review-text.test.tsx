import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { User } from '@bidwell/contract/accounts/schema';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { accountQuery } from '../../lib/api/account.ts';
import { reviewSentences, useReviewSentences } from './review-text.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

test('nothing is said to be reviewed where it is approved at once', () => {
  expect(Object.values(reviewSentences.auto).join(' ')).not.toMatch(/review/);
  for (const sentence of Object.values(reviewSentences.manual)) expect(sentence).toMatch(/reviewed/);
});

test.each(['manual', 'auto', undefined] as const)(
  'forms speak of %s moderation as the server does',
  (moderation) => {
    const client = new QueryClient();
    client.setQueryData(accountQuery.queryKey, { moderation } as unknown as User);
    const page = document.createElement('div');
    const Screen = () => useReviewSentences().newCreatives;
    act(() =>
      createRoot(page).render(
        <QueryClientProvider client={client}>
          <Screen />
        </QueryClientProvider>,
      ),
    );
    expect(page.textContent).toBe(moderation ? reviewSentences[moderation].newCreatives : '');
  },
);

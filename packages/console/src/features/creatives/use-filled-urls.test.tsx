import type { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { useForm } from '@mantine/form';
import { QueryClient, QueryClientProvider, notifyManager } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { trackingLinksQuery } from '../../entities/tracking-links/queries.ts';
import { useFilledUrls } from './use-filled-urls.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// So that what a changed list draws is drawn within `act`.
notifyManager.setScheduler((flush) => flush());

const APP = 'app';
const urls = (host: string) => ({ click_url: `https://${host}/click`, view_url: `https://${host}/view` });
const linkOf = (host: string) => ({ app: { uuid: APP }, archived_at: null, ...urls(host) }) as TrackingLink;

/** Far more often than a form is drawn for one change. */
const DRAWN_MAX = 30;

/** A form that is filled from the tracking links, and shows its values. */
function Form({ onDraw }: { onDraw: (setClickUrl: (url: string) => void) => void }) {
  const form = useForm({ initialValues: { click_url: '', view_url: '' } });
  useFilledUrls(form, APP);
  onDraw((url) => form.setFieldValue('click_url', url));
  return JSON.stringify(form.values);
}

/** Draws a form for these links. Throws if it draws itself without an end. */
function drawForm(links: TrackingLink[]) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const setLinks = (next: TrackingLink[]) => client.setQueryData(trackingLinksQuery.queryKey, next);
  setLinks(links);
  const page = document.createElement('div');
  let drawn = 0;
  let setClickUrl: (url: string) => void;
  const count = (set: (url: string) => void) => {
    drawn += 1;
    setClickUrl = set;
    if (drawn > DRAWN_MAX) throw new Error('The form draws itself without an end.');
  };
  act(() =>
    createRoot(page).render(
      <QueryClientProvider client={client}>
        <Form onDraw={count} />
      </QueryClientProvider>,
    ),
  );
  return {
    setLinks,
    type: (clickUrl: string) => setClickUrl(clickUrl),
    values: () => JSON.parse(page.textContent) as ReturnType<typeof urls>,
  };
}

test('the form of a creative of an app without a tracking link is drawn to its end, and stays empty', () => {
  const form = drawForm([]);
  expect(form.values()).toEqual({ click_url: '', view_url: '' });
});

test('the first tracking link of the app fills in both URLs; typed ones stay', async () => {
  const form = drawForm([]);
  await act(async () => form.setLinks([linkOf('first.example')]));
  await expect.poll(form.values).toEqual(urls('first.example'));
  await act(async () => form.type('https://own.example/click'));
  await act(async () => form.setLinks([linkOf('second.example'), linkOf('first.example')]));
  expect(form.values()).toEqual({ ...urls('first.example'), click_url: 'https://own.example/click' });
});

import type { Certification as Report } from '@bidwell/contract/operator/certification';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { queryClient } from '../../lib/api/query-client.ts';
import { Certification } from './certification.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

const check = { text: 'The seat is a number.', source: 'https://docs.example', fault: null };
const passed = {
  title: 'A banner',
  documented: true,
  passed: true,
  checks: [check],
  request: '{"id":"request"}',
  response: '{"id":"response"}',
  took_ms: 3.5,
};
const report: Report = {
  slug: 'xandr',
  profile: 'xandr',
  at: '2026-11-29T12:00:00.000Z',
  cases: [
    passed,
    { ...passed, title: 'A video', passed: false, checks: [{ ...check, fault: 'It is “bidwell”.' }] },
  ],
  not_documented: ['timeout_ms'],
};

/** Shows the section for an exchange. */
async function shown(profile: string): Promise<HTMLElement> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <QueryClientProvider client={queryClient}>
          <Certification exchange={{ slug: 'xandr', profile } as Ssp} />
        </QueryClientProvider>
      </MantineProvider>,
    ),
  );
  onTestFinished(async () => {
    await act(async () => root.unmount());
    place.remove();
  });
  return place;
}

const button = (place: HTMLElement, name: string) =>
  [...place.querySelectorAll('button')].find(({ textContent }) => textContent.startsWith(name));

test('the cases run, failed ones show their checks, and others on demand', async () => {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(address);
    return Response.json({ data: report });
  });
  const place = await shown('xandr');
  await act(async () => button(place, 'Run the cases')!.click());
  await expect.poll(() => place.textContent).toContain('1 of 2 cases failed.');
  expect(calls).toEqual([expect.stringContaining('/ssps/xandr/certify')]);
  expect(place.textContent).toContain('It is “bidwell”.');
  expect(place.textContent).toContain('Nothing public was found on: timeout.');
  const shownRequests = () => place.querySelectorAll('[aria-label^="Request of"]').length;
  expect(shownRequests()).toBe(1);
  await act(async () => button(place, 'Show')!.click());
  expect(shownRequests()).toBe(2);
  expect(button(place, 'Copy the report')).toBeDefined();
  expect(button(place, 'Download')).toBeDefined();
});

test('the generic profile has no cases to run', async () => {
  const place = await shown('openrtb');
  expect(button(place, 'Run the cases')).toBeUndefined();
  expect(place.textContent).toContain('generic OpenRTB has no cases');
});

import type { DeliveryFunnel } from '@bidwell/contract/insight/delivery-report';
import { expect, test } from 'vitest';
import { testPage } from '../../../lib/test-page.tsx';
import { FunnelReport } from './funnel-report.tsx';

const funnel: DeliveryFunnel = {
  seen: { value: 0, error: 0 },
  samples: 0,
  steps: [],
  device_ids: null,
  bids: 100,
  wins: 20,
  losses: 80,
  losses_by_code: [],
  impressions: 20,
  clicks: 9,
  installs: 0,
  spend: 1,
};

test.each([
  ['installs', { ...funnel, installs: 3 }, false, 'From bid to install', ['Installs3']],
  [
    're-engagement',
    { ...funnel, reattributions: 8 },
    false,
    'From bid to return',
    ['Installs-', 'Re-attributions8'],
  ],
  [
    'both kinds',
    { ...funnel, installs: 3, reattributions: 8 },
    true,
    'From bid to install or return',
    ['Installs3', 'Re-attributions8'],
  ],
])('the delivery of %s has the figures of its kind', async (_kind, shown, hasBothKinds, title, lines) => {
  const { page, draw, close } = testPage();
  await draw(<FunnelReport funnel={shown} choice={null} hasBothKinds={hasBothKinds} />);
  expect([...page.querySelectorAll('h2, h3')].map(({ textContent }) => textContent)).toContain(title);
  const names = [...page.querySelectorAll('dt')].filter(({ textContent }) =>
    ['Installs', 'Re-attributions'].includes(textContent),
  );
  expect(names.map((name) => name.textContent + name.nextElementSibling!.textContent)).toEqual(lines);
  await close();
});

import { linkExamples } from '@bidwell/contract/tracking-links/examples';
import { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { MantineProvider } from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { adsetValues } from './adset-values.ts';
import { DeepLinkField } from './deep-link-field.tsx';

const link = TrackingLink.parse(linkExamples[1]!.example);

function shown({
  deepLink = 'myapp://x' as string | null,
  clickUrl = link.click_url,
  kind = 're_engagement' as CampaignKind,
} = {}) {
  return renderToString(
    <MantineProvider>
      <DeepLinkField
        values={{ ...adsetValues(), deep_link: deepLink }}
        onChange={() => {}}
        errors={{}}
        link={{ ...link, click_url: clickUrl }}
        campaignKind={kind}
      />
    </MantineProvider>,
  );
}

test('the form says who opens the deep link', () => {
  const passing = `${link.click_url}&af_dp={deep_link}`;
  expect(shown({ clickUrl: passing })).toContain('passes it to AppsFlyer, which opens the app');
  expect(shown()).toContain('AppsFlyer does not see the click');
  expect(shown({ kind: 'acquisition' })).toContain('so nothing opens the deep link');
});

test('the deep link is folded away in an acquisition campaign without one', () => {
  expect(shown({ deepLink: null, kind: 'acquisition' })).not.toContain('<input');
  expect(shown({ deepLink: null })).toContain('<input');
});

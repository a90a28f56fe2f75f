import { MMPS } from '@bidwell/contract/apps/fields';
import { PARTNERS, partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { SETUP_STEPS } from '@bidwell/contract/measurement/partners/setup-steps';
import { MantineProvider } from '@mantine/core';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PartnerSetup } from './partner-setup.tsx';

test.each(MMPS)('the steps at %s are listed in their order, with views and sources', (mmp) => {
  const html = renderToString(
    <MantineProvider>
      <PartnerSetup mmp={mmp} />
    </MantineProvider>,
  );
  expect(html).toContain(`Steps at ${partnerInText(mmp)}`);
  expect(html.match(/<li/g)).toHaveLength(SETUP_STEPS[mmp].steps.length);
  expect(html).toContain('Installs after views');
  expect(html.includes('Sources:')).toBe(PARTNERS[mmp].sources.length > 0);
});

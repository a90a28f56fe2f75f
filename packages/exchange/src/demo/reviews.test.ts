import { expect, test } from 'vitest';
import { openReviews } from './reviews.ts';

test('the audit disapproves one banner until it is sent again, and approves the others', async () => {
  const { counterpart } = await openReviews();
  const { member } = counterpart.xandr;
  const send = async (method: string, code: string, size: readonly [number, number], app: string) => {
    const [width, height] = size;
    const creative = {
      code,
      width,
      height,
      allow_audit: true,
      template: { id: 6 },
      content: '<a></a>',
      mobile: { alternative_landing_page_url: `https://play.google.com/store/apps/details?id=${app}` },
    };
    const response = await fetch(`${counterpart.origin}/api.adnxs.com/creative/${member}?code=${code}`, {
      method,
      headers: { authorization: 'xandr-token' },
      body: JSON.stringify({ creative }),
    });
    const { response: body } = (await response.json()) as {
      response: { creative: { audit_status: string } };
    };
    return body.creative.audit_status;
  };
  try {
    expect(await send('POST', 'one', [320, 480], 'com.kestrel.rides')).toBe('audited');
    expect(await send('POST', 'two', [320, 50], 'com.basketbloom.market')).toBe('audited');
    expect(await send('POST', 'three', [320, 480], 'com.basketbloom.market')).toBe('rejected');
    expect(await send('PUT', 'three', [320, 480], 'com.basketbloom.market')).toBe('audited');
  } finally {
    await counterpart.close();
  }
});

import { expect, test, vi } from 'vitest';
import { sampleRef } from '../../delivery/events/sample-ref.ts';
import { createSigner } from '../../delivery/events/signing.ts';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();

test('the addresses of each partner hold the company and the macros of the partner', async () => {
  const company = await app.freshCompany();
  const { status, data } = await company.call('GET', '/postbacks');
  expect(status).toBe(200);
  const own = (await app.operator('GET', `/companies/${company.companyId}`)).data.postback_secret;
  expect(data.secret).toBe(own);
  const of = (mmp: string) => data.templates.filter((one: { mmp: string }) => one.mmp === mmp);
  for (const { mmp, value } of data.templates)
    expect(decodeURIComponent(value)).toContain(`http://bidwell.test/postback/${mmp}/${own}?`);
  expect(of('appsflyer')[0]).toMatchObject({ purpose: 'Install postback' });
  expect(of('appsflyer')[0].value).toContain('clickid=(clickid)');
  expect(of('adjust')[0].value).toMatch(
    /^install_callback=http%3A.*%3Fclick_id%3D\{click_id\}%26activity_kind%3D%7Bactivity_kind%7D/,
  );
  expect(of('appmetrica')[1].value).toContain('conversion_event_name={conversion_event_name}');
});

test('each address does what it is for, once its macros are filled', async () => {
  const company = await app.freshCompany();
  const signer = createSigner(app.engines.config.signingSecret, 'http://bidwell.test');
  const { data } = await company.call('GET', '/postbacks');
  const filled: Record<string, string> = {
    event_name: 'purchase',
    blocked_reason: 'bots',
    conversion_event_name: 'purchase',
  };
  const outcomes: string[] = [];
  for (const { mmp, purpose, value } of data.templates) {
    const clickId = signer.clickIdFor(sampleRef({ companyId: company.companyId }));
    // Adjust reads the address from the link, and knows what happened.
    const url = mmp === 'adjust' ? decodeURIComponent(value.slice(value.indexOf('=') + 1)) : value;
    const kind = /^(Install|Rejected|Event)/.exec(purpose)?.[1];
    const happened = { Install: 'install', Rejected: 'rejected_install', Event: 'event' }[kind ?? 'Event'];
    const address = url.replaceAll(/[({]([\w-]+)[)}]/g, (_macro: string, name: string) =>
      /^click_?id$/.test(name) ? clickId : name === 'activity_kind' ? happened : (filled[name] ?? 'x'),
    );
    const answer = await app.http.inject(address.replace('http://bidwell.test', ''));
    expect(answer.statusCode).toBe(200);
    outcomes.push(answer.json().data.outcome);
  }
  expect(outcomes).toEqual(['stored', 'event', 'rejected', 'stored', 'rejected', 'event', 'stored', 'event']);
});

test('what names no click of the company is kept where the company sees it, and nobody else', async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  const { data } = await company.call('GET', '/postbacks');
  await app.http.inject(`/postback/adjust/${data.secret}?click_id=somebody&country=DE`);
  await vi.waitFor(async () => {
    const { data: after } = await company.call('GET', '/postbacks');
    expect(after.counts).toEqual([{ mmp: 'adjust', outcome: 'unknown_click', count: 1 }]);
    expect(after.unknown).toMatchObject([{ mmp: 'adjust', click_id: 'somebody' }]);
    expect(JSON.parse(after.unknown[0].parameters)).toEqual({ click_id: 'somebody', country: 'DE' });
  }, 5000);
  expect((await other.call('GET', '/postbacks')).data).toMatchObject({ counts: [], unknown: [] });
});

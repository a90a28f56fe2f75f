import { expect, test } from 'vitest';
import { adsetOn, anExchange, forecastOf } from '@bidwell/testing/forecasts';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

test('without a sample it says so, and shows no numbers', async () => {
  const company = await app.freshCompany();
  const { input } = await adsetOn(app, company, await anExchange(app));
  const { message, day, curve } = await forecastOf(company, input);
  expect(message).toMatch(/^Bidwell has (no|a sample of only)/);
  expect([day, curve]).toEqual([null, null]);
});

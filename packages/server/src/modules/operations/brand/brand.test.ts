import { exampleBrand } from '@bidwell/testing/api-cases/brand';
import { mailServer } from '@bidwell/testing/engines/mail-server';
import { eventually } from '@bidwell/testing/eventually';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp } from '@bidwell/testing/test-app';
import pino from 'pino';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { createBrandReader } from '../../../platform/brand/brand-reader.ts';
import { brandedPage } from '../../../platform/brand/page-brand.ts';
import { connectPostgres } from '../../../platform/postgres/client.ts';

const { url, mails } = await mailServer();
const app = await testApp({ SMTP_URL: url, PUBLIC_URL: 'https://bidwell.test' });
const product = { ...exampleBrand, name: 'Bidwell', accent: null, mail_sender_name: null, domains: [] };
const plain = { ...product, terms_url: null, privacy_url: null };

afterEach(async () => {
  await app.operator('DELETE', '/brand/logo');
  await app.operator('PUT', '/brand', plain);
});

const base64 = (content: Buffer) => content.toString('base64');
const logo = async (width = 256, height = 64) => base64(await picture(width, height));
const put = async (over: object) => app.operator('PUT', '/brand', { ...exampleBrand, ...over });
const PAGE =
  '<meta name="brand" content="__BRAND__" /><link rel="icon" type="image/svg+xml" href="/logo.svg" /><title>Bidwell</title>';
const pageNow = async () => brandedPage(PAGE, await app.ctx.brand.current());
const textOf = async (to: string) =>
  eventually(() => {
    const found = mails.filter((mail) => mail.to === to);
    expect(found).toHaveLength(1);
    return found[0]!.text;
  });
const invite = async (email: string) => {
  const company = await app.freshCompany();
  expect((await company.call('POST', '/people/invitations', { email, role: 'editor' })).status).toBe(201);
  return textOf(email);
};

test('without a brand, pages and mails have the product’s name and logo', async () => {
  expect((await app.operator('GET', '/brand')).data).toEqual({
    settings: plain,
    logo: null,
    mail_address: 'no-reply@bidwell.test',
  });
  const page = await pageNow();
  expect(page).toContain('<title>Bidwell</title>');
  expect(page).toContain('href="/logo.svg"');
  const text = await invite('product@example.com');
  expect(text).toContain('From: Bidwell <no-reply@bidwell.test>');
  expect(text).toContain('Subject: You are invited to a company in Bidwell');
  expect(text).toContain('https://bidwell.test/invitation#');
  expect(text).not.toMatch(/<img|Terms|^-- /m);
});

test('a page has the name, the logo, the shades and the links in its first bytes, safe within HTML', async () => {
  await put({ name: 'A "<b>& $& Ads' });
  const { data } = await app.operator('PUT', '/brand/logo', { image: await logo() });
  const page = await pageNow();
  expect(page).toContain('<title>A &quot;&lt;b&gt;&amp; $&amp; Ads</title>');
  const content = /content="([^"]*)"/.exec(page)![1]!;
  const read = content
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  expect(JSON.parse(read)).toMatchObject({
    name: 'A "<b>& $& Ads',
    logo: { url: data.logo.url, width: 256, height: 64 },
    palette: expect.arrayContaining(['#7a1f5c']),
    termsUrl: 'https://acme.example/terms',
    privacyUrl: 'https://acme.example/privacy',
  });
  expect(page).toMatch(/<link rel="icon" type="image\/png" href="\/brand\/icon-[\da-f]{64}\.png" \/>/);
});

test('mails have the name, the sender, the logo, the links and the first domain of the brand', async () => {
  await put({});
  await app.operator('PUT', '/brand/logo', { image: await logo() });
  const text = await invite('brand@example.com');
  expect(text).toContain('From: Acme <no-reply@bidwell.test>');
  expect(text).toContain('Subject: You are invited to a company in Acme Ads');
  expect(text).toContain('https://ads.acme.example/invitation#');
  expect(text).toContain('Terms: https://acme.example/terms');
  expect(text).toMatch(
    /<img src="https:\/\/ads\.acme\.example\/brand\/logo-[\da-f]{64}\.png" alt="Acme Ads" height="32" width="128">/,
  );
});

test('a logo is stored as pixels alone, within bounds, with a square form, and served to everyone', async () => {
  const { status, data } = await app.operator('PUT', '/brand/logo', {
    image: base64(
      await sharp({ create: { width: 2000, height: 500, channels: 4, background: '#f008' } })
        .withExif({ IFD0: { Copyright: 'somebody' } })
        .webp()
        .toBuffer(),
    ),
  });
  expect([status, data.logo.width, data.logo.height]).toEqual([200, 512, 128]);
  const response = await app.http.inject({ url: data.logo.url });
  expect(response.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'cross-origin',
  });
  const stored = await sharp(response.rawPayload).metadata();
  expect([stored.width, stored.height, stored.hasAlpha, stored.exif]).toEqual([512, 128, true, undefined]);
  const icon = await app.http.inject({ url: data.logo.url.replace('logo-', 'icon-') });
  expect(await sharp(icon.rawPayload).metadata()).toMatchObject({ width: 128, height: 128 });
  await app.operator('DELETE', '/brand/logo');
  expect((await app.http.inject({ url: data.logo.url })).statusCode).toBe(404);
});

const halfOf = (content: Buffer) => content.subarray(0, content.length / 2);
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><script>alert(1)</script></svg>';
test.each([
  ['an SVG', async () => base64(Buffer.from(svg)), 422, /PNG, JPEG or WebP/],
  ['nothing', async () => '', 422, /PNG, JPEG or WebP/],
  [
    'a GIF',
    async () =>
      base64(
        await sharp(await picture(99, 99))
          .gif()
          .toBuffer(),
      ),
    422,
    /PNG, JPEG or WebP/,
  ],
  ['half an image', async () => base64(halfOf(await picture(512, 512))), 422, /PNG, JPEG or WebP/],
  ['no Base64', async () => 'pixels!', 422, /PNG, JPEG or WebP/],
  ['a tiny one', async () => logo(31, 31), 422, /at least 32 pixels/],
  ['a tall one', async () => logo(64, 65), 422, /at most eight times as wide/],
  ['a strip', async () => logo(513, 64), 422, /at most eight times as wide/],
  ['a large file', async () => base64(Buffer.alloc(600 * 1024)), 422, /at most 512 kB/],
])('%s is refused as a logo', async (_name, image, status, message) => {
  const response = await app.operator('PUT', '/brand/logo', { image: await image() });
  expect([response.status, response.errors[0]?.message]).toEqual([status, expect.stringMatching(message)]);
  expect((await app.operator('GET', '/brand')).data.logo).toBeNull();
});

test.each([
  [{ accent: '#7aa0ff' }, 'accent', /contrast of 2\.\d:1; it needs 4\.5:1\. #[\da-f]{6} has it/],
  [{ accent_dark: '#7a1f5c' }, 'accent_dark', /it needs 4\.5:1/],
  [{ accent: null, accent_dark: '#ffffff' }, 'accent_dark', /light scheme first/],
  [{ accent: 'red' }, 'accent', /such as #1c53bd/],
  [{ terms_url: 'http://acme.example' }, 'terms_url', /https:/],
  [{ privacy_url: 'javascript:alert(1)' }, 'privacy_url', /https:/],
  [{ domains: ['https://acme.example'] }, 'domains.0', /host name/],
  [{ domains: ['a.example', 'A.example'] }, 'domains', /twice/],
  [{ name: ' ' }, 'name', /./],
  [{ mail_sender_name: 'A'.repeat(61) }, 'mail_sender_name', /60/],
])('the settings %o are refused', async (over, field, message) => {
  const { status, errors } = await put(over);
  expect([status, errors[0]?.field]).toEqual([422, field]);
  expect(errors[0]!.message).toMatch(message);
});

test('a colour that is refused comes with one that is accepted', async () => {
  const { errors } = await put({ accent: '#ffcc00' });
  const near = /(#[\da-f]{6}) has it/.exec(errors[0]!.message)![1]!;
  expect((await put({ accent: near })).status).toBe(200);
  const dark = (await put({ accent_dark: near })).errors[0]!.message;
  expect((await put({ accent_dark: /(#[\da-f]{6}) has it/.exec(dark)![1]! })).status).toBe(200);
});

test('changes are in the log of operators, without the pixels', async () => {
  await put({ name: 'Logged Ads' });
  const { data } = await app.operator('GET', '/acts?limit=1');
  expect(data.acts[0]).toMatchObject({ entity: 'brand', name: 'Logged Ads', after: { name: 'Logged Ads' } });
});

test('while the database does not respond, pages have the last known brand', async () => {
  const db = await connectPostgres({ url: 'postgres://nobody@127.0.0.1:9/none' });
  const reader = createBrandReader(db, pino({ level: 'silent' }));
  expect(await reader.current()).toMatchObject({ settings: { name: 'Bidwell' }, logo: null });
  await db.destroy();
});

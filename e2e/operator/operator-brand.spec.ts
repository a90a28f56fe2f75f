import { picture } from '@bidwell/testing/files/pictures';
import { expect } from '@playwright/test';
import { seriousViolations } from '../support/accessibility.ts';
import { logInAsOperator } from '../support/operator.ts';
import { errorsOf } from '../support/page-errors.ts';
import { test } from '../support/test.ts';

test('an operator gives the installation a name, a logo, colours and links, which every page shows from its first bytes @journey', async ({
  page,
  ownServer,
}) => {
  const errors = errorsOf(page);
  const { server } = ownServer;
  await logInAsOperator(page, server);
  await page.getByRole('link', { name: 'Brand' }).click();
  await expect(page).toHaveTitle('Brand · Bidwell');
  await page.getByRole('textbox', { name: 'Name' }).fill('Acme Ads');
  const colour = page.getByRole('textbox', { name: 'Colour', exact: true });
  await colour.fill('#ffcc00');
  await expect(page.getByText('Light: contrast 1.')).toBeVisible();
  await page.getByRole('button', { name: 'Save brand' }).click();
  await expect(page.getByText(/it needs 4\.5:1\. #[\da-f]{6} has it\./)).toBeVisible();
  await colour.fill('#7a1f5c');
  await page.getByRole('textbox', { name: 'Terms' }).fill('https://acme.example/terms');
  await page.getByRole('textbox', { name: 'Privacy policy' }).fill('https://acme.example/privacy');
  await page.getByRole('textbox', { name: 'Domains' }).fill('ads.acme.example\nnot a host!');
  await page.getByRole('button', { name: 'Save brand' }).click();
  await expect(page.getByText('Enter a host name such as ads.example.com')).toBeVisible();
  await page.getByRole('textbox', { name: 'Domains' }).fill('ads.acme.example');
  await page.getByRole('button', { name: 'Save brand' }).click();
  await expect(page.getByText('Brand saved.')).toBeVisible();
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a logo' }).click();
    await (await chooser).setFiles({ name, mimeType, buffer });
  };
  await choose('logo.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await expect(page.getByRole('alert').getByText('PNG, JPEG or WebP')).toBeVisible();
  await choose('logo.png', 'image/png', await picture(128, 64));
  await expect(page.getByText('Logo saved')).toBeVisible();

  await page.reload();
  await expect(page).toHaveTitle('Brand · Acme Ads');
  await expect(
    page.getByRole('link', { name: 'Acme Ads, operator console' }).getByText('Acme Ads'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save brand' })).toHaveCSS(
    'background-color',
    'rgb(122, 31, 92)',
  );
  expect(await seriousViolations(page)).toEqual([]);

  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const response = await page.goto(`${server.url}/login`);
  const html = await response!.text();
  expect(html).toContain('<title>Acme Ads</title>');
  expect(html).toContain('&quot;name&quot;:&quot;Acme Ads&quot;');
  expect(response!.headers()['content-security-policy']).toContain('ws://ads.acme.example');
  await expect(page.getByRole('heading', { name: 'Log in to Acme Ads' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'Acme Ads' })).toHaveJSProperty('naturalWidth', 128);
  await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute(
    'href',
    'https://acme.example/terms',
  );
  await expect(page.getByRole('link', { name: 'Privacy' })).toHaveAttribute(
    'href',
    'https://acme.example/privacy',
  );
  expect(paths.filter((path) => path.endsWith('.svg'))).toEqual([]);
  expect(await seriousViolations(page)).toEqual([]);
  await expect(page.getByText('Bidwell')).toHaveCount(0);
  expect(errors).toEqual([]);
});

test('a viewer sees the brand and changes nothing', async ({ page, server }) => {
  const errors = errorsOf(page);
  await logInAsOperator(page, server, 'viewer');
  await page.goto(`${server.url}/operator/brand`);
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Bidwell');
  await expect(page.getByText('Only admins can change the brand.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  expect(await seriousViolations(page)).toEqual([]);
  expect(errors).toEqual([]);
});

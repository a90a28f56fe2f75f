import { type Locator, type Page, expect } from '@playwright/test';
import { bannerPicture, freshCompany, makeAdsetParts } from './support/company.ts';
import { choose, fill, fillPerson, solveCaptcha } from './support/fields.ts';
import { test } from './support/test.ts';
import { signIn, signInToNewCompany } from './support/session.ts';
import { settled, watchRequests } from './support/settled.ts';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const says = (page: Page | Locator, text: string) =>
  expect(page.getByText(text, { exact: true }).first()).toBeVisible();

const picture = async (width: number, height: number, name: string) => ({
  name,
  mimeType: 'image/png',
  buffer: await bannerPicture(width, height),
});

test('login and registration show each error below its field @journey', async ({ page, server }) => {
  await page.goto(`${server.url}/registration`);
  await press(page, 'Create account');
  await says(page, 'Login is not valid! It should contain at least 5 characters');
  await says(page, 'Email is not valid!');
  await says(page, 'Password must be at least 6 characters long');
  await says(page, 'Required');
  await says(page, 'Please complete the reCAPTCHA verification');
  await expect(field(page, 'Login')).toBeFocused();
  await fill(page, 'Login', 'Grace..Hopper1');
  await press(page, 'Create account');
  await says(page, 'Login must contain only lowercase latin letters and dots');

  const person = { login: 'demo.of.messages', password: 'a secret of mine' };
  await fillPerson(page, { ...person, email: 'messages@example.com', name: 'Grace' });
  await solveCaptcha(page);
  await press(page, 'Create account');
  await expect(page).toHaveURL(/\/campaigns/);

  await page.context().clearCookies();
  await page.goto(`${server.url}/login`);
  await page.getByLabel('Login').fill('demo.of.messages');
  await page.getByLabel('Password').first().fill('wrong-one');
  await press(page, 'Log in');
  await says(page, 'Please complete the reCAPTCHA verification');
  await solveCaptcha(page);
  await press(page, 'Log in');
  // The server's message, capitalized.
  await expect(page.getByRole('alert').filter({ hasText: /^[A-Z].*password/ })).toBeVisible();
  await expect(page.getByLabel('Login')).toHaveValue('demo.of.messages');

  await page.goto(`${server.url}/registration`);
  await fillPerson(page, { ...person, email: 'messages@example.com', name: 'Grace' });
  await solveCaptcha(page);
  await press(page, 'Create account');
  await expect(page.getByText(/login .*(taken|exists)/i).first()).toBeVisible();
});

test('if the server sends no message, the fixed ones are shown', async ({ page, server }) => {
  const company = await freshCompany(server);
  const alert = (text: string) => page.getByRole('alert').getByText(text, { exact: true });
  await page.goto(`${server.url}/login`);
  await page.getByLabel('Login').fill(company.user.login);
  await page.getByLabel('Password').first().fill(company.user.password);
  await test.step('the message of the captcha disappears once it is verified', async () => {
    await press(page, 'Log in');
    await says(page, 'Please complete the reCAPTCHA verification');
    await solveCaptcha(page);
    await expect(page.getByText('Please complete the reCAPTCHA verification')).toBeHidden();
  });
  await page.route('**/api/internal/login', (route) => route.abort('internetdisconnected'));
  await press(page, 'Log in');
  await expect(alert('Please try again.')).toBeVisible();
  await page.unroute('**/api/internal/login');

  await makeAdsetParts(company);
  await signIn(page, server, company);
  await page.goto(`${server.url}/tracking-links/edit`);
  await choose(page, 'App', 'Pocket Farm');
  await fill(page, 'Title', 'Second partner');
  await page
    .getByLabel('Click URL')
    .fill('https://app.appsflyer.com/com.example.pocketfarm?clickid={click_id}');
  await page.getByLabel('View URL').fill('https://impression.appsflyer.com/com.example.pocketfarm');
  await page.route('**/api/internal/tracking_link', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<html>' })
      : route.continue(),
  );
  await press(page, 'Save tracking link');
  await expect(alert('Please try again')).toBeVisible();
  await page.unroute('**/api/internal/tracking_link');
  await press(page, 'Save tracking link');
  await says(page, 'Tracking link saved');

  await page.goto(`${server.url}/profile`);
  await page.route('**/api/internal/users/*', (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
  );
  await press(page, 'Save profile');
  await expect(alert('Failed to update profile')).toBeVisible();
});

test('every form shows errors at their fields and focuses the first one', async ({ page, server }) => {
  watchRequests(page);
  const { url } = server;
  const {
    company: { user },
  } = await signInToNewCompany(page, server);

  await test.step('an app', async () => {
    await page.goto(`${url}/add-app`);
    await fill(page, 'Title', 'T'.repeat(51));
    await fill(page, 'Description', 'D'.repeat(201));
    await press(page, 'Save app');
    await says(page, 'Title cannot exceed 50 characters');
    await says(page, 'Description cannot exceed 200 characters');
    await says(page, 'MMP is required');
    await says(page, '51/50');
    await says(page, '201/200');
    await expect(field(page, 'App store link')).toBeFocused();
  });

  await test.step('a target', async () => {
    await page.goto(`${url}/targets/edit`);
    await press(page, 'Save target');
    await says(page, 'Required');
    await expect(field(page, 'Title')).toBeFocused();
  });

  await test.step('a tracking link', async () => {
    await page.goto(`${url}/tracking-links/edit`);
    await press(page, 'Save tracking link');
    await expect(page.getByText('Required', { exact: true })).toHaveCount(4);
  });

  await test.step('an ad set', async () => {
    await page.goto(`${url}/adset`);
    // The form grows when its lists arrive: a button must not move away during the click.
    await settled(page);
    await press(page, 'Save ad set');
    await says(page, 'Required');
    await expect(field(page, 'Title')).toBeFocused();
    await fill(page, 'Title', 'Half an ad set');
    await fill(page, 'CPM bid', '0');
    await press(page, 'Save ad set');
    await expect(page.getByText('Required', { exact: true })).not.toHaveCount(0);
    await fill(page, 'CPM bid', '1.239');
    await page.keyboard.press('Tab');
    await expect(field(page, 'CPM bid')).toHaveValue('$1.23');
  });

  await test.step('a campaign', async () => {
    await page.goto(`${url}/campaigns/create`);
    await press(page, 'Create campaign');
    await expect(page.getByText('Required', { exact: true }).first()).toBeVisible();
    await expect(field(page, 'Campaign name')).toBeFocused();
  });

  await test.step('bundles', async () => {
    await page.goto(`${url}/adset`);
    await press(page, 'Edit allowlist');
    const dialog = page.getByRole('dialog', { name: 'Manual or CSV Rule Template' });
    await dialog.getByRole('textbox').fill('com.good, приложение');
    await says(dialog, 'Only latin characters are allowed');
    await dialog.getByRole('textbox').fill('a.b..c');
    await expect(dialog.getByText('Too many dots in one line').first()).toBeVisible();
    await dialog.getByRole('textbox').fill('COM.Good.Game. & com.good.game; com.two');
    await press(page, 'Apply');
    const list = page.getByRole('group', { name: 'Allowlist' });
    await expect(list).toContainText('com.good.game');
    await expect(list.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  });

  await test.step('a profile', async () => {
    await page.goto(`${url}/profile`);
    const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') };
    await page.locator('input[type=file]').first().setInputFiles(notes);
    await says(page, 'Invalid file type');
    await expect(page.getByRole('button', { name: 'Save profile' })).toBeDisabled();
    await press(page, 'Keep the current picture');
    await expect(page.getByText('Invalid file type')).toBeHidden();

    await page.getByLabel('New password').first().fill('short');
    await press(page, 'Save profile');
    await says(page, 'Password is not valid! It should contain at least 6 characters');
    await page.getByLabel('New password').first().fill('long enough');
    await press(page, 'Save profile');
    await says(page, 'Please confirm your password');
    await page.getByLabel('Confirm password').first().fill('something else');
    await press(page, 'Save profile');
    await says(page, "Passwords don't match");
    await page.getByLabel('New password').first().fill('password1');
    await page.getByLabel('Confirm password').first().fill('password1');
    await press(page, 'Save profile');
    await says(page, 'This password is one of the most common ones. Please choose another');
    await page.getByLabel('New password').first().fill(user.password);
    await page.getByLabel('Confirm password').first().fill(user.password);
    await page.getByLabel('Current password').first().fill('not mine');
    await press(page, 'Save profile');
    await says(page, 'The current password is wrong');
    await page.getByLabel('Current password').first().fill(user.password);
    await press(page, 'Save profile');
    await says(page, 'Profile updated successfully!');
    await expect(page.getByLabel('Current password')).toHaveCount(0);
    await fill(page, 'Email', 'nothing');
    await press(page, 'Save profile');
    await says(page, 'Email is not valid!');
  });

  await test.step('files of creatives, at most twenty banners per app', async () => {
    await page.goto(`${url}/creatives/add-creative?type=Video`);
    await press(page, 'Upload');
    await says(page, 'Video is required');
    await page.goto(`${url}/creatives/add-creative?type=Native`);
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles(await picture(100, 100, 'small.png'));
    await expect(page.getByRole('alert')).toContainText('The uploaded creative is 100×100 px');
    await page.goto(`${url}/creatives/add-creative?type=Banner`);
    await choose(page, 'App', 'Pocket Farm');
    const many = await Promise.all(
      Array.from({ length: 21 }, (_, number) => picture(320, 50, `many-${number}.png`)),
    );
    await page.locator('input[type="file"]').first().setInputFiles(many);
    await expect(
      page.getByText('Creative limit reached. Up to 20 Banners per creative type.', { exact: false }).first(),
    ).toBeVisible();
  });
});

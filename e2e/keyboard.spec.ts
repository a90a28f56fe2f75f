import { type Locator, expect } from '@playwright/test';
import { dropdown } from './support/fields.ts';
import { expectSoundFocus, pickOption, tabTo } from './support/keyboard.ts';
import { test } from './support/test.ts';
import { signInToNewCompany } from './support/session.ts';

test('a campaign is created with the keyboard alone @journey', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/campaigns`);
  const keys = page.keyboard;
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  await test.step('from the campaigns to a new one', async () => {
    await tabTo(page, page.getByRole('link', { name: 'New Campaign' }).first());
    await keys.press('Enter');
    await expect(page.getByRole('heading', { name: 'New campaign' })).toBeVisible();
  });

  await test.step('the campaign itself', async () => {
    await expect(field('Campaign name')).toBeFocused();
    await keys.type('By hand');
    await tabTo(page, dropdown(page, 'App'));
    await pickOption(page, /Pocket Farm/);
    await expect(dropdown(page, 'App')).toHaveValue('Pocket Farm (Android)');
    await tabTo(page, field('Last day'));
    await keys.type('12/31/2999');
  });

  await test.step('its ad set', async () => {
    await tabTo(page, page.getByRole('button', { name: 'New ad set' }));
    await keys.press('Enter');
    await expect(field('Title')).toBeFocused();
    await keys.type('Broad reach');
    await tabTo(page, dropdown(page, 'Target'));
    await pickOption(page, 'Everyone');
    await tabTo(page, dropdown(page, 'Tracking link'));
    await pickOption(page, 'Partner');
    await tabTo(page, dropdown(page, 'Creative groups'));
    await pickOption(page, 'Spring banners');
    await keys.press('Escape');
    await tabTo(page, page.getByRole('radio', { name: /Manual CPM/ }));
    await keys.press('Space');
    await keys.press('ArrowRight');
    await expect(page.getByRole('radio', { name: /Target CPI/ })).toBeChecked();
    await keys.press('ArrowLeft');
    await expect(page.getByRole('radio', { name: /Manual CPM/ })).toBeChecked();
    await tabTo(page, page.getByLabel('CPM bid'));
    await keys.type('2.5');
    await tabTo(page, page.getByLabel('Daily budget', { exact: true }));
    await keys.type('40');
  });

  await test.step('missing fields are named and the first one gets the focus', async () => {
    await tabTo(page, field('Title'), 'Shift+Tab');
    await keys.press('Control+a');
    await keys.press('Backspace');
    await tabTo(page, page.getByRole('button', { name: 'Create campaign' }));
    await keys.press('Enter');
    await expect(field('Title')).toBeFocused();
    await expectSoundFocus(page);
    await keys.type('Broad reach');
  });

  await test.step('it is saved and listed', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Create campaign' }));
    await keys.press('Enter');
    await expect(page.getByText('Campaign created successfully')).toBeVisible();
    const row = page.getByRole('row', { name: /By hand/ });
    await expect(row).toContainText('Paused');
    await tabTo(page, row.getByRole('button', { name: 'Expand By hand' }));
    await keys.press('Enter');
    await expect(page.getByRole('row', { name: /Broad reach/ })).toContainText('Manual CPM');
  });
});

test('an amount is replaced by typing over it', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/finances`);
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  const amount = page.getByLabel('Amount');
  await amount.fill('75');
  await page.keyboard.press('Tab');
  await expect(amount).toHaveValue('$75.00');
  await page.keyboard.press('Shift+Tab');
  await expect(amount).toBeFocused();
  await page.keyboard.type('2.40');
  await expect(amount).toHaveValue('$2.40');
  // A moment after the last key the field puts the cursor back; the focus must have left before it selects again.
  await page.keyboard.press('Tab');
  await expect(amount).not.toBeFocused();
  await amount.fill('1234.5');
  await page.keyboard.press('Tab');
  await expect(amount).toHaveValue('$1 234.50');
  // A click into the number leaves the rest of it.
  await amount.click({ position: { x: 60, y: 15 } });
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await expect(amount).toHaveValue('$234.50');
});

test('an amount is the same typed and pasted, in both common spellings', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  await page.goto(`${server.url}/finances`);
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  const amount = page.getByLabel('Amount');
  for (const text of ['1,234.50', '1.234,50', '1 234,50', '$1,234.50']) {
    await amount.focus();
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
    await expect(amount).toHaveValue('$1 234.50');
    await amount.fill('');
    await amount.evaluate((input, pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      // The browser inserts the text unless the field does so itself.
      if (input.dispatchEvent(event)) document.execCommand('insertText', false, pasted);
    }, text);
    await page.keyboard.press('Tab');
    await expect(amount).toHaveValue('$1 234.50');
  }
  await amount.fill('75');
  await amount.fill('seventy');
  await expect(amount).toHaveValue('seventy');
  await expect(amount).toHaveAccessibleDescription('Enter an amount in digits, such as 1,234.50');
});

test('every dialog takes the focus, traps it, and returns it', async ({ page, server }) => {
  await signInToNewCompany(page, server);
  const keys = page.keyboard;
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const titleField = page.getByRole('textbox', { name: 'Title', exact: true });

  /** Presses Enter on a button that opens a dialog or menu; returns it once it contains the focus. */
  const open = async (opener: Locator, role: 'dialog' | 'menu'): Promise<Locator> => {
    await opener.focus();
    await keys.press('Enter');
    const inside = page.getByRole(role).first();
    await expect(inside.locator(':focus')).toHaveCount(1);
    return inside;
  };
  const openers = [
    ['/campaigns', [/Last 7 Days/, /^Notifications/, /Search or create/]],
    ['/targets', ['Edit title Everyone']],
    ['/targets/edit', [/countries/i]],
    ['/adset', [/blocklist/i]],
    ['/reports', [/filter/i]],
    ['/finances', [/top up/i]],
    ['/creatives', [/import/i]],
    ['/profile?tab=sign-in', ['Log out everywhere']],
  ] as const;
  for (const [path, names] of openers) {
    await page.goto(server.url + path);
    for (const name of names) {
      await test.step(`${String(name)} of ${path}`, async () => {
        const inside = await open(button(name), 'dialog');
        for (let stop = 0; stop < 12; stop += 1) await keys.press('Tab');
        await expect(inside.locator(':focus')).toHaveCount(1);
        await keys.press('Escape');
        await expect(inside).toBeHidden();
        await expect(button(name)).toBeFocused();
        await expectSoundFocus(page);
      });
    }
  }

  await test.step('the menu of the account', async () => {
    const menu = await open(button(/Your account/), 'menu');
    await keys.press('ArrowDown');
    await expectSoundFocus(page);
    await keys.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button(/Your account/)).toBeFocused();
  });

  await test.step('a dialog that saves', async () => {
    await page.goto(`${server.url}/targets`);
    const dialog = await open(button('Edit title Everyone'), 'dialog');
    await expect(dialog.getByRole('textbox')).toBeFocused();
    await keys.press('Control+a');
    await keys.type('Everybody');
    await keys.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(button('Edit title Everybody')).toBeFocused();
  });

  await test.step('staying on a form that is not saved', async () => {
    await page.goto(`${server.url}/targets/edit`);
    await tabTo(page, titleField);
    await keys.type('Half a thought');
    const cancel = page.getByRole('link', { name: 'Cancel' });
    await cancel.focus();
    await keys.press('Enter');
    await expect(page.getByRole('button', { name: 'Stay' })).toBeFocused();
    await keys.press('Enter');
    await expect(cancel).toBeFocused();
    await expect(titleField).toHaveValue('Half a thought');
  });
});

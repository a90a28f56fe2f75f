import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { testPage } from '../../lib/test-page.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

let close: () => Promise<void>;
afterEach(async () => close());

/** Renders an open dialog with a form, or with the secret that follows it; returns how often it was to be closed. */
async function renderDialog(isShown: boolean) {
  const { draw, press, ...page } = testPage();
  close = page.close;
  let closed = 0;
  const onClose = () => {
    closed += 1;
  };
  await draw(
    <SecretDialog opened onClose={onClose} title="New key">
      {isShown ? (
        <ShownOnce secret="bw_1234" testId="secret" onDone={onClose}>
          Copy it now.
        </ShownOnce>
      ) : (
        <input aria-label="Name" />
      )}
    </SecretDialog>,
  );
  return {
    closed: () => closed,
    pressEscape: () =>
      act(async () => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      }),
    press,
  };
}

test('a secret that is shown only once goes away by its button, not by the Escape key', async () => {
  const dialog = await renderDialog(true);
  await dialog.pressEscape();
  expect(dialog.closed()).toBe(0);
  await dialog.press('Done');
  expect(dialog.closed()).toBe(1);
});

test('before there is a secret, the Escape key closes the dialog', async () => {
  const dialog = await renderDialog(false);
  await dialog.pressEscape();
  expect(dialog.closed()).toBe(1);
});

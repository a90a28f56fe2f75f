import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { SecretDialog } from './secret-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => unmount());

/** Renders an open dialog with a form, or with the secret that follows it; returns how often it was to be closed. */
async function renderDialog(isShown: boolean) {
  const container = document.createElement('div');
  document.body.replaceChildren(container);
  const root = createRoot(container);
  let closed = 0;
  const close = () => {
    closed += 1;
  };
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <SecretDialog opened onClose={close} title="New key">
          {isShown ? (
            <ShownOnce secret="bw_1234" testId="secret" onDone={close}>
              Copy it now.
            </ShownOnce>
          ) : (
            <input aria-label="Name" />
          )}
        </SecretDialog>
      </MantineProvider>,
    ),
  );
  unmount = () => act(() => root.unmount());
  return {
    closed: () => closed,
    pressEscape: () =>
      act(async () => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      }),
    press: (name: string) =>
      act(async () =>
        [...document.querySelectorAll('button')].find((one) => one.textContent === name)!.click(),
      ),
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

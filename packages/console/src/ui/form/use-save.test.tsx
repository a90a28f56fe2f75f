import { notifyManager, onlineManager } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { loadToasts } from '../../lib/toast.ts';
import { useSave } from './use-save.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// So that what a save draws is drawn within `act`.
notifyManager.setScheduler((flush) => flush());

const { notifications, notificationsStore } = await loadToasts();
const toasts = () => {
  const { notifications: visible, queue } = notificationsStore.getState();
  return [...visible, ...queue].map(({ message }) => message);
};

// Test files share a document, in which others may have left toasts.
beforeEach(() => notifications.clean());
afterEach(() => notifications.clean());

type Options = Omit<Parameters<typeof useSave<string>>[0], 'send'>;

interface ButtonProps {
  name: string;
  done?: string;
}

/** Shows a button that saves its name; `resolve` and `reject` settle the request of the last click. */
function showButton(options: Options = {}) {
  const sent: string[] = [];
  let resolve: (saved: string) => void;
  let reject: (error: unknown) => void;
  const send = (name: string) => {
    sent.push(name);
    return new Promise<unknown>((...ends) => {
      [resolve, reject] = ends;
    });
  };
  function SaveButton({ name, ...props }: ButtonProps) {
    const { save, busy, error } = useSave({ send, ...options, ...props });
    return <button onClick={() => save(name)}>{busy ? 'Saving' : (error ?? 'Save')}</button>;
  }
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  return {
    sent,
    draw: (props: ButtonProps) => act(() => root.render(<SaveButton {...props} />)),
    text: () => page.textContent,
    click: () => act(async () => page.querySelector('button')!.click()),
    resolve: () => act(async () => resolve('saved')),
    reject: (error: unknown) => act(async () => reject(error)),
    close: () => {
      act(() => root.unmount());
      page.remove();
    },
  };
}

test('a save is busy until it is done, is sent once however often it is asked for, and says that it is done', async () => {
  const saved: unknown[] = [];
  const button = showButton({
    done: (_saved, name) => `${name} is saved`,
    onSaved: (...args) => saved.push(args),
  });
  button.draw({ name: 'Ad set' });
  await button.click();
  await button.click();
  expect(button.text()).toBe('Saving');
  expect(button.sent).toEqual(['Ad set']);
  await button.resolve();
  expect(button.text()).toBe('Save');
  expect(toasts()).toEqual(['Ad set is saved']);
  expect(saved).toEqual([['saved', 'Ad set']]);
  await button.click();
  expect(button.sent).toEqual(['Ad set', 'Ad set']);
  await button.resolve();
  button.close();
});

test('the message is about the sent values, also if the screen has changed since', async () => {
  const button = showButton();
  button.draw({ name: 'A', done: 'A is paused' });
  await button.click();
  button.draw({ name: 'A', done: 'A is running' });
  await button.resolve();
  expect(toasts()).toEqual(['A is paused']);
  button.close();
});

test('a failure is shown at its fields and as a toast, and the next save is sent', async () => {
  const fields: unknown[] = [];
  const button = showButton({ onFailure: (error) => fields.push((error as ApiError).fields), done: 'Saved' });
  button.draw({ name: 'Ad set' });
  await button.click();
  await button.reject(new ApiError(422, 'The title is taken', { name: 'Taken' }));
  expect(fields).toEqual([{ name: 'Taken' }]);
  expect(toasts()).toEqual(['The title is taken']);
  await button.click();
  expect(button.text()).toBe('Saving');
  await button.resolve();
  expect(toasts()).toContain('Saved');
  button.close();
});

test('a failure that a dialog says is no toast', async () => {
  const button = showButton({ onFailure: () => true });
  button.draw({ name: 'Ad set' });
  await button.click();
  await button.reject(new ApiError(422, 'A second person has to approve that', { approval: 'Ask' }));
  expect(toasts()).toEqual([]);
  button.close();
});

test('a failure that is shown in place is no toast, and is gone while the next save runs', async () => {
  const button = showButton({ shownInPlace: true });
  button.draw({ name: 'Ad set' });
  await button.click();
  await button.reject(new ApiError(409, 'Someone else has changed it'));
  expect(button.text()).toBe('Someone else has changed it');
  expect(toasts()).toEqual([]);
  await button.click();
  expect(button.text()).toBe('Saving');
  await button.resolve();
  expect(button.text()).toBe('Save');
  button.close();
});

test('a save that the user does not confirm is not sent, and can be saved afterwards', async () => {
  let isMeant = false;
  const button = showButton({ confirm: async () => isMeant, done: 'Saved' });
  button.draw({ name: 'Ad set' });
  await button.click();
  expect(button.text()).toBe('Save');
  expect(button.sent).toEqual([]);
  expect(toasts()).toEqual([]);
  isMeant = true;
  await button.click();
  expect(button.sent).toEqual(['Ad set']);
  await button.resolve();
  button.close();
});

test('offline a save is tried at once, so that its failure is shown', async () => {
  onlineManager.setOnline(false);
  const button = showButton();
  button.draw({ name: 'Ad set' });
  await button.click();
  expect(button.sent).toEqual(['Ad set']);
  await button.reject(new ApiError(0, 'The server cannot be reached'));
  expect(toasts()).toEqual(['The server cannot be reached']);
  onlineManager.setOnline(true);
  button.close();
});

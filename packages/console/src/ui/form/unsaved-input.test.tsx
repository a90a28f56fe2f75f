import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test } from 'vitest';
import { setOperatorOfInput, storeUnsavedInput, useTyped } from './unsaved-input.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
let unmount = () => {};
afterEach(() => {
  unmount();
  localStorage.clear();
  history.pushState({}, '', '/');
});

function Reason() {
  const [reason, setReason] = useTyped('reason', '');
  return <input value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />;
}

/** Opens the field as an operator; resolves to it. */
async function openAs(operator: string): Promise<HTMLInputElement> {
  unmount();
  history.pushState({}, '', '/operator/review');
  setOperatorOfInput(() => operator);
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(<Reason />));
  unmount = () => act(() => root.unmount());
  return page.querySelector('input')!;
}

async function type(field: HTMLInputElement, text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!;
  await act(async () => {
    set!.call(field, text);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('input of a session that ended comes back for the same person, and never for another one', async () => {
  await type(await openAs('ada'), 'Blurred picture');
  storeUnsavedInput('ada');
  expect((await openAs('ada')).value).toBe('Blurred picture');
  storeUnsavedInput('ada');
  expect((await openAs('bob')).value).toBe('');
  expect((await openAs('ada')).value).toBe('');
});

import { afterEach, expect, test } from 'vitest';
import { testPage } from '../../lib/test-page.tsx';
import { setOperatorOfInput, storeUnsavedInput, useTyped } from './unsaved-input.ts';

let close = async () => {};
afterEach(async () => {
  await close();
  localStorage.clear();
  history.pushState({}, '', '/');
});

function Reason() {
  const [reason, setReason] = useTyped('reason', '');
  return <input value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />;
}

/** Opens the field as an operator. */
async function openAs(operator: string) {
  await close();
  history.pushState({}, '', '/operator/review');
  setOperatorOfInput(() => operator);
  const page = testPage();
  await page.draw(<Reason />);
  close = page.close;
  return { value: page.field().value, type: (text: string) => page.type(page.field(), text) };
}

test('input of a session that ended comes back for the same person, and never for another one', async () => {
  await (await openAs('ada')).type('Blurred picture');
  storeUnsavedInput('ada');
  expect((await openAs('ada')).value).toBe('Blurred picture');
  storeUnsavedInput('ada');
  expect((await openAs('bob')).value).toBe('');
  expect((await openAs('ada')).value).toBe('');
});

import { notifyManager } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api/api-error.ts';
import { testPage } from '../../lib/test-page.tsx';
import { useSavedForm } from './saved-form.ts';

// So that what a save draws is drawn within `act`.
notifyManager.setScheduler((flush) => flush());

function PersonForm({ send }: { send: (person: { name: string; email: string }) => Promise<void> }) {
  const { form, submit } = useSavedForm({
    initialValues: { name: 'Ada', email: '' },
    validate: ({ name, email }) => ({
      ...(email === '' && { email: 'Enter an email' }),
      ...(name === '' && { name: 'Enter a name' }),
    }),
    send,
    shownInPlace: true,
  });
  const field = (name: 'name' | 'email') => {
    const { error, ...props } = form.getInputProps(name);
    return (
      <label>
        <input {...props} name={name} />
        <span>{error}</span>
      </label>
    );
  };
  return (
    <form onSubmit={submit}>
      {field('name')}
      {field('email')}
    </form>
  );
}

async function renderForm(send: (person: object) => Promise<void>) {
  const { page, draw, field, type, submit } = testPage();
  await draw(<PersonForm send={send} />);
  return {
    fieldNamed: field,
    type: (name: string, text: string) => type(field(name), text),
    submit,
    messages: () => [...page.querySelectorAll('span')].map(({ textContent }) => textContent),
  };
}

test('an invalid form is not sent: each field has its message, and the first of them the focus', async () => {
  const sent: object[] = [];
  const { fieldNamed, type, submit, messages } = await renderForm(async (person) => void sent.push(person));
  await type('name', '');
  await submit();
  expect(messages()).toEqual(['Enter a name', 'Enter an email']);
  expect(document.activeElement).toBe(fieldNamed('name'));
  await type('name', 'Ada');
  await type('email', 'ada@example.com');
  await submit();
  expect(sent).toEqual([{ name: 'Ada', email: 'ada@example.com' }]);
});

test('the messages of the server are at their fields, and the first field has the focus', async () => {
  const { fieldNamed, type, submit, messages } = await renderForm(async () => {
    throw new ApiError(422, 'Something is wrong', { email: 'Taken' });
  });
  await type('email', 'ada@example.com');
  await submit();
  expect(messages()).toEqual(['', 'Taken']);
  expect(document.activeElement).toBe(fieldNamed('email'));
});

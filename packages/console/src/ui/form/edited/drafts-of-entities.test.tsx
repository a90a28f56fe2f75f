import { versionOf } from '@bidwell/contract/lib/version';
import { notifyManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../../../lib/api/api-error.ts';
import { testPage } from '../../../lib/test-page.tsx';
import { useFormDraft } from '../form-draft.tsx';
import { isChanged } from './is-changed.ts';
import { useSavedForm } from '../saved-form.ts';

notifyManager.setScheduler((flush) => flush());

const Person = z.object({ name: z.string(), city: z.string() });
type Person = z.infer<typeof Person>;

const KEY = 'bidwell.draft.person';
const whole = { ignoring: [] };
const ada: Person = { name: 'Ada', city: 'London' };

let server: Person;
let saves: Person[];
let close: () => Promise<void>;
beforeEach(() => {
  localStorage.clear();
  [server, saves] = [ada, []];
});
afterEach(async () => close());

function PersonForm({ saved }: { saved: Person }) {
  const { form, busy, submit, changedElsewhere, base, rebase } = useSavedForm<Person, void, Person>({
    initialValues: saved,
    entity: { saved, valuesOf: (person) => person, version: whole, reload: async () => server },
    hasDraft: true,
    send: async (values, version) => {
      if (version !== versionOf(whole, server)) throw new ApiError(412, 'Changed');
      server = values;
      saves.push(values);
    },
    shownInPlace: true,
  });
  const draft = useFormDraft<Person>({
    key: 'person',
    schema: Person,
    values: form.values,
    base,
    dirty: isChanged(form),
    busy,
    asksBeforeLeaving: false,
    onRestore: (values, before) => {
      form.setValues(values);
      rebase(before);
    },
    onReset: () => form.reset(),
  });
  return (
    <form onSubmit={submit}>
      {draft.notice}
      {changedElsewhere}
      <input name="name" {...form.getInputProps('name')} />
      <input name="city" {...form.getInputProps('city')} />
    </form>
  );
}

async function openForm() {
  const { draw, field, type, submit, alert, press, ...page } = testPage();
  close = page.close;
  const show = async () => draw(<PersonForm saved={server} />);
  await show();
  return {
    show,
    values: () => ({ name: field('name').value, city: field('city').value }),
    type: (name: string, text: string) => type(field(name), text),
    submit,
    asked: alert,
    press,
  };
}

/** Leaves the page with the form, and opens it again. */
async function reopen() {
  window.dispatchEvent(new Event('pagehide'));
  await close();
  return openForm();
}

test('a draft that is restored after someone else saved takes their changes, and asks about fields that both changed', async () => {
  const first = await openForm();
  await first.type('name', 'Ada King');
  server = { name: 'Ada', city: 'Ockham' };
  const second = await reopen();
  expect([second.values(), second.asked()]).toEqual([{ name: 'Ada King', city: 'Ockham' }, null]);
  server = { name: 'Countess', city: 'Ockham' };
  const third = await reopen();
  expect(third.values()).toEqual({ name: 'Ada King', city: 'Ockham' });
  expect(third.asked()).toMatch(/Yours: Ada King.*Saved: Countess/s);
  await third.submit();
  expect(saves).toEqual([]);
  await third.press('Keep yours: Name');
  await third.submit();
  expect(saves).toEqual([{ name: 'Ada King', city: 'Ockham' }]);
});

test('an open question is asked again when the draft is restored again', async () => {
  const first = await openForm();
  await first.type('name', 'Ada King');
  server = { ...ada, name: 'Countess' };
  await first.show();
  expect(first.asked()).toMatch(/Countess/);
  const second = await reopen();
  expect(second.asked()).toMatch(/Yours: Ada King.*Saved: Countess/s);
  await second.press('Start over');
  expect([second.values(), second.asked()]).toEqual([{ name: 'Countess', city: 'London' }, null]);
});

test('a draft of an earlier release, whose base is not known, is asked about field by field', async () => {
  localStorage.setItem(KEY, JSON.stringify({ name: 'Ada King', city: 'London' }));
  server = { name: 'Ada', city: 'Ockham' };
  const form = await openForm();
  expect(form.values()).toEqual({ name: 'Ada King', city: 'London' });
  expect(form.asked()).toMatch(/Yours: Ada King.*Saved: Ada.*Yours: London.*Saved: Ockham/s);
  await form.press('Keep yours: Name');
  await form.press('Take saved: City');
  await form.submit();
  expect(saves).toEqual([{ name: 'Ada King', city: 'Ockham' }]);
});

test('a saved form leaves neither a draft nor what it was based on', async () => {
  const first = await openForm();
  await first.type('name', 'Ada King');
  window.dispatchEvent(new Event('pagehide'));
  expect(Object.keys(localStorage)).toEqual(expect.arrayContaining([KEY, `${KEY}.base`]));
  await first.submit();
  const second = await reopen();
  expect([second.values().name, second.asked()]).toEqual(['Ada King', null]);
  expect(Object.keys(localStorage).filter((key) => key.startsWith(KEY))).toEqual([]);
});

test('a form stays changed when someone else saves another field, or one of its fields gets its saved value again', async () => {
  const first = await openForm();
  await first.type('name', 'Ada King');
  server = { ...ada, city: 'Ockham' };
  await first.show();
  const second = await reopen();
  expect(second.values()).toEqual({ name: 'Ada King', city: 'Ockham' });
  await second.type('city', 'Paris');
  await second.type('city', 'Ockham');
  expect((await reopen()).values()).toEqual({ name: 'Ada King', city: 'Ockham' });
});

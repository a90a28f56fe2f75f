import { notifyManager } from '@tanstack/react-query';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionOf } from '@bidwell/contract/lib/version';
import { ApiError } from '../../../lib/api/api-error.ts';
import { testPage } from '../../../lib/test-page.tsx';
import { useSavedForm } from '../saved-form.ts';
import { mergeFields } from './changed-elsewhere.tsx';

notifyManager.setScheduler((flush) => flush());

interface Person {
  [field: string]: string;
  name: string;
  city: string;
}

const whole = { ignoring: [] };

/** A server with one person, which takes a change of its present version only. */
function serverOf(first: Person) {
  const server = {
    person: first,
    saves: [] as Person[],
    save: async (values: Person, version: string | undefined) => {
      if (version !== versionOf(whole, server.person)) throw new ApiError(412, 'Changed');
      server.person = values;
      server.saves.push(values);
    },
  };
  return server;
}
type Server = ReturnType<typeof serverOf>;

function PersonForm({ server, saved }: { server: Server; saved: Person }) {
  const { form, submit, changedElsewhere } = useSavedForm<Person, void, Person>({
    initialValues: saved,
    entity: { saved, valuesOf: (person) => person, version: whole, reload: async () => server.person },
    send: server.save,
    shownInPlace: true,
  });
  return (
    <form onSubmit={submit}>
      {changedElsewhere}
      <input name="name" {...form.getInputProps('name')} />
      <input name="city" {...form.getInputProps('city')} />
    </form>
  );
}

async function openForm(server: Server) {
  const { draw, field, type, submit, alert, press } = testPage();
  const show = async (saved: Person) => draw(<PersonForm server={server} saved={saved} />);
  await show(server.person);
  return {
    show,
    valueOf: (name: string) => field(name).value,
    type: (name: string, text: string) => type(field(name), text),
    submit,
    notice: alert,
    press,
  };
}

const ada = { name: 'Ada', city: 'London' };

test('a field that only someone else changed follows, and what the person typed stays and is saved', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', 'Ada King');
  server.person = { ...ada, city: 'Ockham' };
  await form.show(server.person);
  expect([form.valueOf('name'), form.valueOf('city'), form.notice()]).toEqual(['Ada King', 'Ockham', null]);
  await form.submit();
  expect(server.saves).toEqual([{ name: 'Ada King', city: 'Ockham' }]);
});

test('a field that both changed shows both values, and nothing is saved before one is chosen', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', 'Ada King');
  server.person = { ...ada, name: 'Countess' };
  await form.show(server.person);
  expect(form.notice()).toMatch(/Yours: Ada King.*Saved: Countess/s);
  expect(form.valueOf('name')).toBe('Ada King');
  await form.submit();
  expect(server.saves).toEqual([]);
  await form.press('Keep yours: Name');
  expect(form.notice()).toBeNull();
  await form.submit();
  expect(server.saves).toEqual([{ name: 'Ada King', city: 'London' }]);
});

test('the saved value can be taken', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', 'Ada King');
  await form.show((server.person = { ...ada, name: 'Countess' }));
  await form.press('Take saved: Name');
  expect([form.valueOf('name'), form.notice()]).toEqual(['Countess', null]);
});

test('a change that the page did not know of is taken over at the save, which is sent again', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', 'Ada King');
  server.person = { ...ada, city: 'Ockham' };
  await form.submit();
  expect(server.saves).toEqual([{ name: 'Ada King', city: 'Ockham' }]);
});

test('a conflict that the page did not know of is shown at the save; no input is lost', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', 'Ada King');
  server.person = { ...ada, name: 'Countess' };
  await form.submit();
  expect(server.saves).toEqual([]);
  expect([form.valueOf('name'), form.notice()]).toEqual(['Ada King', expect.stringContaining('Countess')]);
});

test('what the server made of an own save is taken over without a question, also by the next save', async () => {
  const server = serverOf(ada);
  const form = await openForm(server);
  await form.type('name', ' Ada King ');
  await form.submit();
  server.person = { ...ada, name: 'Ada King' };
  await form.show(server.person);
  expect([form.valueOf('name'), form.notice()]).toEqual(['Ada King', null]);
  await form.type('city', 'Ockham');
  await form.submit();
  expect(server.saves.at(-1)).toEqual({ name: 'Ada King', city: 'Ockham' });
});

test('no change of either side is lost without a question', () => {
  const values = fc.record({
    a: fc.nat(3),
    b: fc.array(fc.nat(2), { maxLength: 2 }),
    c: fc.string({ maxLength: 1 }),
  });
  fc.assert(
    fc.property(values, values, values, (base, saved, mine) => {
      const { taken, conflicts } = mergeFields(base, saved, mine);
      const merged: Record<string, unknown> = { ...mine, ...taken };
      const asked = new Set(conflicts.map(({ field }) => field));
      for (const field of ['a', 'b', 'c'] as const) {
        const [before, theirs, own] = [base[field], saved[field], mine[field]].map((one) =>
          JSON.stringify(one),
        );
        const result = JSON.stringify(merged[field]);
        if (theirs === before || own === theirs) expect([result, asked.has(field)]).toEqual([own, false]);
        else if (own === before) expect([result, asked.has(field)]).toEqual([theirs, false]);
        else expect([result, asked.has(field)]).toEqual([own, true]);
      }
    }),
  );
});

import { versionOf } from '@bidwell/contract/lib/version';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { changeAsShown } from './change-as-shown.ts';

const whole = { ignoring: [] };

interface Person {
  name: string;
  role: string;
}

/** Sets a role that was shown as `shown`, of a person that others change after each read; `others` are these changes in turn. */
async function setRole(first: Person, shown: string, others: readonly Partial<Person>[]) {
  const server = { person: first, sent: 0 };
  const done = changeAsShown<Person, void>({
    read: async () => {
      const read = server.person;
      server.person = { ...read, ...others[server.sent] };
      return read;
    },
    version: whole,
    isAsShown: ({ role }) => role === shown,
    send: async (version) => {
      server.sent += 1;
      if (version !== versionOf(whole, server.person)) throw new ApiError(412, 'Changed');
      server.person = { ...server.person, role: 'Owner' };
    },
  });
  const failure = await done.then(
    () => null,
    (error: Error) => error.message,
  );
  return { ...server.person, failure };
}

const ada = { name: 'Ada', role: 'Editor' };

test('a value that is as it was shown is changed, and other changes of someone else stay', async () => {
  expect(await setRole(ada, 'Editor', [])).toEqual({ name: 'Ada', role: 'Owner', failure: null });
  const renamed = await setRole(ada, 'Editor', [{ name: 'Ada King' }]);
  expect(renamed).toEqual({ name: 'Ada King', role: 'Owner', failure: null });
});

test('a value that someone else changed since it was shown is not overwritten, at any time', async () => {
  const failure = screenMessages.changedAnew;
  const before = await setRole({ ...ada, role: 'Finance' }, 'Editor', []);
  expect(before).toEqual({ name: 'Ada', role: 'Finance', failure });
  const meanwhile = await setRole(ada, 'Editor', [{ role: 'Finance' }]);
  expect(meanwhile).toEqual({ name: 'Ada', role: 'Finance', failure });
});

test('a person who is changed again and again is given up', async () => {
  const others = ['A', 'B', 'C', 'D'].map((name) => ({ name }));
  expect(await setRole(ada, 'Editor', others)).toMatchObject({ role: 'Editor', failure: 'Changed' });
});

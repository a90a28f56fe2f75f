import { messages } from '@bidwell/contract/text/messages';
import { afterEach, expect, test } from 'vitest';
import { ApiError, withoutServerText } from '../../lib/api/api-error.ts';
import { type Loadable, dataOrUnknown, isUnknown, loadableOf, mapped } from '../../lib/loadable.ts';
import { testPage } from '../../lib/test-page.tsx';
import { RecordTable } from '../table/record-table.tsx';
import { FigureFrame } from './figure-frame.tsx';
import { UnknownFigure } from './unknown-figure.tsx';

let close: () => Promise<void>;
afterEach(async () => close());

let retried = 0;
const query = {
  data: undefined as readonly { name: string }[] | undefined,
  error: null as Error | null,
  errorUpdateCount: 0,
  isEnabled: true,
  isFetching: true,
  isPaused: false,
  isPlaceholderData: false,
  refetch: () => {
    retried += 1;
  },
};
const failure = (error: Error) => loadableOf({ ...query, error, errorUpdateCount: 1, isFetching: false });
const ada = [{ name: 'Ada' }];

/** Renders a list with its count as a screen does; returns its text and whether there is a placeholder. */
async function shown(people: Loadable<readonly { name: string }[]>) {
  const { page: container, draw, press, ...page } = testPage();
  close = page.close;
  const count = dataOrUnknown(mapped(people, ({ length }) => length));
  await draw(
    <>
      <h2>{isUnknown(count) ? <UnknownFigure why={count} /> : `${count} people`}</h2>
      <FigureFrame figures={people} what="The people" empty="No one yet">
        {(known) => known.map(({ name }) => name).join(', ')}
      </FigureFrame>
      <RecordTable
        label="People"
        what="The table"
        rows={people}
        empty="No rows"
        columns={[{ header: 'Name', cell: ({ name }) => name }]}
      />
    </>,
  );
  const style = [...container.querySelectorAll('style')].map(({ textContent }) => textContent).join('');
  return {
    text: container.textContent!.replace(style, ''),
    count: container.querySelector('h2')!.textContent,
    placeholders: container.querySelectorAll('[data-skeleton], [role=status]').length,
    tryAgain: () => press('Try again'),
  };
}

test('a list that loads shows placeholders, and neither says none nor counts 0', async () => {
  const { text, count, placeholders } = await shown(loadableOf(query));
  expect(text).not.toMatch(/No one|No rows|0/);
  expect(count).toBe('');
  expect(placeholders).toBeGreaterThan(1);
});

test.each([
  ['the server’s error', withoutServerText(500, 'Unexpected'), messages.serverError],
  ['the server’s error with a text', new ApiError(500, 'Something went wrong'), messages.serverError],
  ['an overloaded server', new ApiError(503, 'Too many requests wait.'), 'Too many requests wait.'],
  ['no connection', withoutServerText(0, 'The server cannot be reached.'), 'The server cannot be reached.'],
  ['a role', withoutServerText(403, 'x'), 'Your role in this company does not allow this.'],
])('a list that failed by %s says so, offers another try and claims nothing', async (_, error, cause) => {
  const { text, count, tryAgain } = await shown(failure(error));
  expect(text).toContain(`The people could not be loaded. ${cause}`);
  expect(text).not.toMatch(/No one|No rows/);
  expect(count).toBe('–');
  retried = 0;
  await tryAgain();
  expect(retried).toBe(1);
});

test('a request that waits for the connection says that one is offline', async () => {
  const { text } = await shown(loadableOf({ ...query, isFetching: false, isPaused: true }));
  expect(text).toContain('The people could not be loaded. ');
  expect(text).not.toMatch(/No one|No rows/);
});

test('a list that is known shows its rows, and says that there are none where it is empty', async () => {
  const here = await shown(loadableOf({ ...query, data: ada }));
  expect(here.text).toBe('1 peopleAdaNameAda');
  const empty = await shown(loadableOf({ ...query, data: [] }));
  expect(empty.text).toBe('0 peopleNo one yetNo rows');
});

test('a list that could not be refreshed stays, and says so', async () => {
  const { text } = await shown(
    loadableOf({ ...query, data: ada, error: new Error('x'), errorUpdateCount: 1 }),
  );
  expect(text).toContain('could not be refreshed and may be out of date.');
  expect(text).toContain('Ada');
});

test('an empty previous selection says nothing about the present one', async () => {
  const { text } = await shown(loadableOf({ ...query, data: [], isPlaceholderData: true }));
  expect(text).not.toMatch(/No one|No rows/);
});

import { versionOf } from '@bidwell/contract/lib/version';
import { notifications, notificationsStore } from '@mantine/notifications';
import { notifyManager } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/api/api-error.ts';
import { testPage } from '../../../lib/test-page.tsx';
import { fieldInPlace } from './edited-field.ts';
import { EditForm } from './inline-edit-form.tsx';
import { MoneyForm } from './inline-money-form.tsx';

notifyManager.setScheduler((flush) => flush());

interface Adset {
  name: string;
  budget: number | null;
  bid: number;
}
const whole = { ignoring: [] };
let server: Adset;
let close: () => Promise<void>;
beforeEach(() => {
  server = { name: 'Europe', budget: 50, bid: 2 };
});
afterEach(async () => {
  await close();
  notifications.clean();
});

/** The messages of the console, each with its undo. */
const said = () =>
  notificationsStore
    .getState()
    .notifications.map(
      ({ message }) => (message as ReactElement<{ message: string; undo: () => Promise<void> }>).props,
    );

/** Saves what changes of the version only, as the server does. */
const saved = async (changes: Partial<Adset>, version: string | undefined) => {
  if (version !== versionOf(whole, server)) throw new ApiError(412, 'Changed');
  server = { ...server, ...changes };
};

const common = { version: whole, reload: async () => server };
const nameOf = (row: Adset) =>
  fieldInPlace<Adset, string>({
    ...common,
    saved: row,
    valueOf: ({ name }) => name,
    send: async (name, version) => saved({ name }, version),
  });
/** The row has no bid, as the table of ad sets has no lists of bundles. */
const budgetOf = ({ name, budget }: Adset) =>
  fieldInPlace<Pick<Adset, 'name' | 'budget'>, number | null>({
    ...common,
    saved: { name, budget },
    valueOf: (row) => row.budget,
    isPart: true,
    send: async (dollars, version) => saved({ budget: dollars }, version),
  });

async function open(form: (row: Adset, onDone: () => void) => ReactNode) {
  const { draw, field, type, submit, alert, press, ...page } = testPage();
  close = page.close;
  const onDone = vi.fn();
  const show = async (row: Adset) => draw(form(row, onDone));
  await show(server);
  return {
    show,
    onDone,
    value: () => field().value,
    type: (text: string) => type(field(), text),
    save: submit,
    asked: alert,
    press,
  };
}
const openName = async () =>
  open((row, onDone) => <EditForm label="Title" kind="title" field={nameOf(row)} onDone={onDone} />);
const openBudget = async () =>
  open((row, onDone) => (
    <MoneyForm
      label="Daily budget"
      of="Europe"
      field={budgetOf(row)}
      emptyText="Unlimited"
      max={1000}
      onDone={onDone}
    />
  ));

test('a text that someone else changed since the table was read is asked about, not overwritten', async () => {
  const dialog = await openName();
  await dialog.type('Western Europe');
  server = { ...server, name: 'EU' };
  await dialog.save();
  expect(server.name).toBe('EU');
  expect(dialog.asked()).toMatch(/Yours: Western Europe.*Saved: EU/s);
  expect(dialog.onDone).not.toHaveBeenCalled();
  await dialog.press('Keep yours: Title');
  await dialog.save();
  expect([server.name, dialog.asked()]).toEqual(['Western Europe', null]);
  expect(dialog.onDone).toHaveBeenCalledOnce();
});

test('an amount that someone else changed is asked about, and theirs may be taken', async () => {
  const dialog = await openBudget();
  await dialog.type('75');
  server = { ...server, budget: 500 };
  await dialog.save();
  expect(server.budget).toBe(500);
  expect(dialog.asked()).toMatch(/Yours: \$75\.00.*Saved: \$500\.00/s);
  await dialog.press('Take saved: Daily budget');
  expect(dialog.value()).toContain('500');
  await dialog.save();
  expect(server.budget).toBe(500);
});

test('a change of another field is no reason to ask, and stays', async () => {
  for (const dialog of [openName, openBudget]) {
    const { type, save, asked } = await dialog();
    server = { ...server, bid: server.bid + 1 };
    await type(dialog === openName ? 'Western Europe' : '75');
    await save();
    expect(asked()).toBeNull();
    await close();
  }
  expect(server).toEqual({ name: 'Western Europe', budget: 75, bid: 4 });
});

test('an open dialog follows what someone else saves, and a value that was not typed does not replace it', async () => {
  const dialog = await openName();
  server = { ...server, name: 'EU' };
  await dialog.show(server);
  expect(dialog.value()).toBe('EU');
  const budget = await openBudget();
  server = { ...server, budget: 500 };
  await budget.save();
  expect([server.budget, budget.asked(), said()]).toEqual([500, null, []]);
});

test('an undo puts the value back that was there, and leaves one that someone else set since', async () => {
  const dialog = await openName();
  await dialog.type('Western Europe');
  await dialog.save();
  await expect.poll(said).toMatchObject([{ message: 'Title is now “Western Europe”' }]);
  const undo = async () => said()[0]!.undo();
  server = { ...server, name: 'EU' };
  await expect(undo()).rejects.toThrow('stays');
  expect(server.name).toBe('EU');
  server = { ...server, name: 'Western Europe', bid: 9 };
  await undo();
  expect(server).toMatchObject({ name: 'Europe', bid: 9 });
});

import { expect } from '@playwright/test';
import { logInAsOperator } from '../support/operator.ts';
import { retryAtOnce } from '../support/quick-retries.ts';
import { type Dialog, type Screen, dialogs, operatorDialogs, operatorScreens } from '../support/screens.ts';
import { signIn } from '../support/session.ts';
import { test } from '../support/test.ts';
import { type Fault, STATES, Walk } from '../support/walk.ts';

/** Whether to try every pair of a call and a state, or some, always the same. */
const isWhole = process.env['NEVER_WRONG'] === 'all';
/** A pattern of the names of the screens to try; every screen without it. */
const NAMED = new RegExp(process.env['NEVER_WRONG_OF'] ?? '');
/** Opening a screen well, to compare with, costs more than a pair: few screens with many pairs. */
const ONE_SCREEN_OF = 6;
const ONE_PAIR_OF = 4;

/** Chooses evenly, and always the same. */
function isChosen(text: string, oneOf: number): boolean {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 65_521;
  return isWhole || sum % oneOf === 0;
}

/** Tries the calls of screens and dialogs in each state. */
async function expectNeverWrong(walk: Walk, places: readonly (Screen | Dialog)[]): Promise<void> {
  const faults: Fault[] = [];
  // A whole run takes half an hour: each fault is printed when it is found.
  const report = (fault: Fault) => {
    faults.push(fault);
    console.log(`FAULT | ${fault.screen} | ${fault.call} | ${fault.state} | ${fault.fault}`);
  };
  let calls = 0;
  let pairs = 0;
  let saves = 0;
  const chosen = places.filter(({ name }) => NAMED.test(name) && isChosen(name, ONE_SCREEN_OF));
  for (const place of chosen) {
    await test.step(place.name, async () => {
      const before = pairs;
      const baseline = await walk.baseline(place);
      for (const state of ['slow', '500', '403', 'offline'] as const) {
        if (!isChosen(`${place.name} saving ${state}`, ONE_PAIR_OF)) continue;
        const found = await walk.faultsOfSaving(place, state);
        if (!found) break;
        saves += 1;
        faults.push(...found.map((fault) => ({ screen: place.name, call: 'saving', state, fault })));
      }
      for (const call of baseline.calls) {
        calls += 1;
        for (const state of STATES) {
          if (!isChosen(`${place.name} ${call} ${state}`, ONE_PAIR_OF)) continue;
          pairs += 1;
          const found = await walk.faultsOf(place, call, state, baseline);
          if (found.length === 0) continue;
          // The other pages use the same server: figures may have changed since the baseline was read.
          const again = await walk.faultsOf(place, call, state, await walk.baseline(place));
          for (const fault of again) report({ screen: place.name, call, state, fault });
        }
      }
      if (isWhole) console.log(`${place.name}: ${baseline.calls.length} calls, ${pairs - before} pairs`);
    });
  }
  console.log(
    `never wrong: ${chosen.length} screens and dialogs, ${calls} calls, ${pairs} pairs of a call and a state, ${saves} attempts to save`,
  );
  expect(faults).toEqual([]);
}

/** Leaving this one is a question of its own. */
const openable = dialogs.filter(({ name }) => name !== 'dialog-leave');
/** Most of the time is waiting: a whole run has more workers than cores (--workers 8). */
const PARTS = isWhole ? 8 : 3;

for (let part = 0; part < PARTS; part += 1) {
  const isOfPart = (_: unknown, index: number) => index % PARTS === part;
  test(`no call that is slow, fails or is empty makes a screen or a dialog say something false (${part + 1} of ${PARTS})`, async ({
    page,
    server,
    demo,
  }) => {
    await retryAtOnce(page);
    await signIn(page, server, demo);
    const walk = await Walk.begin(page, server.url, '/alerts');
    await expectNeverWrong(
      walk,
      [...demo.screens.filter(({ name }) => name !== 'not-found'), ...openable].filter(isOfPart),
    );
  });
}

test('no call that is slow, fails or is empty makes the operator console say something false', async ({
  page,
  server,
  demo: _companyAndExchange,
}) => {
  await retryAtOnce(page);
  await logInAsOperator(page, server);
  const walk = await Walk.begin(page, server.url, '/operator/log');
  const opened = (await operatorDialogs(server)).filter(({ name }) => name !== 'operator-exchange-tested');
  await expectNeverWrong(walk, [...(await operatorScreens(server)), ...opened]);
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitName } from '../text/no-bid-reasons.ts';
import { FUNNEL_STEPS } from './funnel.ts';

test('docs/delivery-report.md lists every reason of the funnel by step, in their order, with its name on the screen', () => {
  const rows = readFileSync(new URL('../../../../docs/delivery-report.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, step, code]) => /^`\w+`$/.test(step ?? '') && /^`\w+`$/.test(code ?? ''));
  expect(rows.map((row) => row.slice(1, 4))).toEqual(
    FUNNEL_STEPS.flatMap(({ step, exits }) =>
      exits.map((exit) => [`\`${step}\``, `\`${exit}\``, exitName(exit)]),
    ),
  );
  expect(rows.every((row) => row[4] !== '')).toBe(true);
});

/**
 * npm run chaos [-- --only NAME,NAME] [--rounds N] [--events N] [--list]: injects faults into real servers under load and counts
 * acknowledged, lost and duplicated events. Ends with one line of JSON; exits with 1 if any were lost or duplicated.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ChaosResult, isClean } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string' },
    events: { type: 'string', default: '1' },
    program: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});

if (values.list) for (const { name, about } of scenarios) console.log(`${name.padEnd(20)} ${about}`);
else process.exitCode = await runScenarios();

async function runScenarios(): Promise<number> {
  const wanted = values.only?.split(',');
  const unknown = wanted?.filter((name) => !scenarios.some((scenario) => scenario.name === name)) ?? [];
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  const events = Number(values.events);
  const areCounts = [rounds ?? 1, events].every((count) => Number.isInteger(count) && count > 0);
  if (unknown.length > 0 || !areCounts) {
    console.error(
      `There is ${scenarios.map(({ name }) => name).join(', ')}; --rounds and --events are numbers of at least 1.`,
    );
    return 1;
  }
  const program =
    values.program ?? fileURLToPath(new URL('../packages/server/src/start/serve.ts', import.meta.url));
  const results: Record<string, ChaosResult> = {};
  const skipped: string[] = [];
  for (const scenario of scenarios) {
    if (wanted && !wanted.includes(scenario.name)) continue;
    console.log(`${scenario.name}: ${scenario.about}`);
    const startedMs = performance.now();
    const result = await scenario
      .run({
        rounds: rounds ?? scenario.rounds,
        events,
        program,
        log: (line) => console.log(`  ${line}`),
      })
      .catch((error: unknown) => failed(error));
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    if (typeof result === 'string') {
      skipped.push(scenario.name);
      console.log(`  skipped: ${result}`);
      continue;
    }
    results[scenario.name] = result;
    for (const note of result.notes) console.log(`  ${note}`);
    for (const failure of result.failures) console.error(`  FAILED: ${failure}`);
    console.log(
      `  ${isClean(result) ? 'ok' : 'FAILED'}: ${result.acknowledged} acknowledged, ${result.lost} lost, ${result.doubled} doubled (${seconds} s)`,
    );
  }
  const all = Object.values(results);
  const sum = (key: 'acknowledged' | 'lost' | 'doubled') =>
    all.reduce((total, result) => total + result[key], 0);
  console.log(
    JSON.stringify({
      chaos: Object.keys(results),
      skipped,
      acknowledged: sum('acknowledged'),
      lost: sum('lost'),
      doubled: sum('doubled'),
      failures: all.reduce((total, { failures }) => total + failures.length, 0),
    }),
  );
  return all.every(isClean) ? 0 : 1;
}

function failed(error: unknown): ChaosResult {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { acknowledged: 0, lost: 0, doubled: 0, failures: [text], notes: [] };
}

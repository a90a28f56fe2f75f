import { clickhouseAwayScenario, postgresCutScenario } from './databases.ts';
import { killScenario } from './kill.ts';
import type { ChaosScenario } from './scenario.ts';

/** Everything that `npm run chaos` runs, in this order. */
export const scenarios: readonly ChaosScenario[] = [
  killScenario,
  postgresCutScenario,
  clickhouseAwayScenario,
];

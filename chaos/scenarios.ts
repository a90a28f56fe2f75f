import { clusterScenario, rollingUpdateScenario } from './cluster.ts';
import { clickhouseOutageScenario, postgresCutScenario } from './databases.ts';
import { damagedLogScenario } from './scenarios/damaged-log.ts';
import { diskFullScenario } from './scenarios/disk-full.ts';
import { doorsScenario } from './scenarios/doors.ts';
import { frequencyScenario } from './scenarios/frequency.ts';
import { frozenDiskScenario } from './scenarios/frozen-disk.ts';
import { killScenario } from './scenarios/kill.ts';
import { largeAdsetsScenario } from './scenarios/large-adsets.ts';
import { loginFloodScenario } from './scenarios/login-flood.ts';
import { natsRewoundScenario } from './scenarios/nats-rewound.ts';
import { noTrackersScenario } from './scenarios/no-trackers.ts';
import { overloadScenario } from './scenarios/overload.ts';
import { readOnlyScenario } from './scenarios/read-only.ts';
import type { ChaosScenario } from './scenario.ts';
import { twoProcessesScenario } from './scenarios/two-processes.ts';

/** The scenarios of `npm run chaos`, in order. */
export const scenarios: readonly ChaosScenario[] = [
  killScenario,
  postgresCutScenario,
  clickhouseOutageScenario,
  damagedLogScenario,
  diskFullScenario,
  readOnlyScenario,
  frozenDiskScenario,
  twoProcessesScenario,
  rollingUpdateScenario,
  clusterScenario,
  noTrackersScenario,
  natsRewoundScenario,
  frequencyScenario,
  doorsScenario,
  overloadScenario,
  loginFloodScenario,
  largeAdsetsScenario,
];

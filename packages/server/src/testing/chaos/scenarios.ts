import { clusterScenario, rollingUpdateScenario } from './cluster.ts';
import { clickhouseOutageScenario, postgresCutScenario } from './databases.ts';
import { damagedLogScenario } from './damaged-log.ts';
import { diskFullScenario } from './disk-full.ts';
import { frozenDiskScenario } from './frozen-disk.ts';
import { killScenario } from './kill.ts';
import { largeAdsetsScenario } from './large-adsets.ts';
import { loginFloodScenario } from './login-flood.ts';
import { natsRewoundScenario } from './nats-rewound.ts';
import { noTrackersScenario } from './no-trackers.ts';
import { overloadScenario } from './overload.ts';
import { readOnlyScenario } from './read-only.ts';
import type { ChaosScenario } from './scenario.ts';
import { twoProcessesScenario } from './two-processes.ts';

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
  overloadScenario,
  loginFloodScenario,
  largeAdsetsScenario,
];

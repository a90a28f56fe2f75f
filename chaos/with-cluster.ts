import { type Cluster, startCluster } from '@bidwell/testing/cluster/cluster';
import { ENGINES } from '@bidwell/testing/cluster/engines';
import { type Stores, withStores } from './audit.ts';
import { type ClusterCompany, makeClusterCompany } from './cluster-company.ts';
import type { ChaosOptions, ChaosResult } from './scenario.ts';
import { SIGNING_SECRET } from './server-process.ts';
import { withFolder } from './temporary-folder.ts';

/** A cluster with a company, and its databases. */
export interface ClusterRun {
  cluster: Cluster;
  company: ClusterCompany;
  stores: Stores;
}

/**
 * Starts a cluster with a company and a campaign for each total budget, see {@link makeClusterCompany}, for the time of `work`.
 * Resolves to a text where the sample exchange, which clusters need, is not built with the program.
 */
export async function withCluster(
  { signal, program }: Pick<ChaosOptions, 'signal' | 'program'>,
  budgets: readonly (number | null)[],
  work: (run: ClusterRun) => Promise<ChaosResult>,
): Promise<ChaosResult | string> {
  if (!program.endsWith('.js')) return 'the sample exchange is not built with this program';
  return withFolder(signal, async (folder, ending) => {
    const environment = {
      NODE_ENV: 'test',
      CAPTCHA: 'off',
      MODERATION: 'auto',
      LOG_LEVEL: 'warn',
      SIGNING_SECRET,
    };
    const cluster = await startCluster({ program, relays: ENGINES, environment });
    const stopNow = () => void cluster.stop();
    ending.addEventListener('abort', stopNow);
    try {
      const company = await makeClusterCompany(cluster, budgets).catch((cause: unknown) => {
        const logs = cluster.servers.api.map(({ process }) => process.output()).join('');
        throw new Error(`The cluster took no campaign. Its API processes said: ${logs}`, { cause });
      });
      const { postgres, clickhouse } = cluster.engines;
      const where = {
        dataDir: folder,
        databaseUrl: postgres.environment(postgres.port)['DATABASE_URL']!,
        clickhouseUrl: clickhouse.environment(clickhouse.port)['CLICKHOUSE_URL']!,
      };
      return await withStores(where, async (stores) => work({ cluster, company, stores }));
    } finally {
      ending.removeEventListener('abort', stopNow);
      await cluster.stop();
    }
  });
}

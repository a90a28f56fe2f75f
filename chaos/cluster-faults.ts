import type { Cluster } from '@bidwell/testing/cluster/cluster';
import { ENGINES, type EngineName } from '@bidwell/testing/cluster/engines';

/** A fault of one process of a cluster. */
export interface ClusterFault {
  name: string;
  begin(): Promise<unknown>;
  /** Ends it; resolves once the process is there again. */
  end(): Promise<unknown>;
  /** True if the other processes must do its work meanwhile; an engine has no other one. */
  isCovered: boolean;
}

/** Kills of every server process and engine, and every engine cut off and silent, in turn. */
export function clusterFaults(cluster: Cluster): ClusterFault[] {
  const servers = Object.values(cluster.servers).flat();
  const kills = servers.map(({ process }) => ({
    name: `kill ${process.name}`,
    begin: () => process.kill(),
    end: () => process.start(),
    isCovered: true,
  }));
  const engines = ENGINES.flatMap((name) => engineFaults(cluster, name));
  // Alternating, so that a run of few rounds has both.
  return kills
    .flatMap((kill, index) => [kill, ...engines.slice(index, index + 1)])
    .concat(engines.slice(kills.length));
}

function engineFaults({ engines, relays }: Cluster, name: EngineName): ClusterFault[] {
  const { process } = engines[name];
  const relay = relays[name]!;
  const isCovered = false;
  const mend = async () => relay.mend();
  return [
    { name: `kill ${name}`, begin: () => process.kill(), end: () => process.start(), isCovered },
    { name: `cut ${name}`, begin: async () => relay.cut(true), end: mend, isCovered },
    { name: `silence ${name}`, begin: async () => relay.silence(), end: mend, isCovered },
  ];
}

import { type Cluster, startCluster } from './cluster.ts';

/**
 * Starts a cluster, prints its addresses and runs until SIGINT or SIGTERM. Returns the exit code: 1 if it could not start, or
 * if a process did not stop by itself.
 */
export async function runCluster(program: string): Promise<number> {
  const signal = nextSignal();
  console.log('Starting …');
  try {
    const cluster = await startCluster({ program });
    print(cluster);
    await signal;
    console.log('Stopping …');
    const codes = await cluster.stop();
    const failed = Object.values(cluster.servers)
      .flat()
      .filter(({ process }) => (codes[process.name] ?? 0) !== 0);
    for (const { process } of failed)
      console.error(`${process.name} ended with ${codes[process.name]}: ${process.output().trim()}`);
    return failed.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}

/** Resolves at the first signal, also one that comes during the start; a second one ends the process at once. */
function nextSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        stop();
        process.once(signal, () => process.exit(1));
      });
  });
}

function print({ url, operatorToken, engines, servers }: Cluster): void {
  console.log(`Bidwell is at ${url}\n`);
  for (const { process, url: address } of Object.values(servers).flat())
    console.log(`  ${process.name.padEnd(12)} ${address}`);
  for (const { name, port } of Object.values(engines)) console.log(`  ${name.padEnd(12)} 127.0.0.1:${port}`);
  console.log(`\nOperator token: ${operatorToken}\nCtrl-C stops everything and removes its data.`);
}

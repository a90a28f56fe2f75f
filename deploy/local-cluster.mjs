/**
 * node deploy/local-cluster.mjs: runs two server processes of each role on this machine, with PostgreSQL, NATS, chDB behind
 * ClickHouse's interface and an S3-compatible server, behind one address. Ctrl-C stops everything and removes its data.
 */
import { ensureBuilt, programPath } from '../scripts/build.mjs';
import { ensureInstalled } from '../scripts/install.mjs';
import '../scripts/typescript.mjs';

ensureInstalled();
ensureBuilt();
const { runCluster } = await import('../packages/testing/src/cluster/main.ts');
process.exit(await runCluster(programPath('serve')));

import { type KeyObject, createPrivateKey } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import { impressionExtension } from './impression-extension.ts';

/** Networks with their private keys in PEM. */
export type KeysMessage = readonly (readonly [network: string, pem: string])[];

/**
 * Tasks of one turn as lines of fields that are separated by tabs: one text is copied to the thread much faster than objects. The
 * response has the number of the batch and a line for each task, empty for one that could not be signed.
 */
export interface BatchMessage {
  batch: number;
  tasks: string;
  /** Unix ms after which no bid waits for the batch; Infinity for a batch that is made ahead. */
  untilMs: number;
}

/** Signs batches of bids, in a thread of its own: a signature takes longer than the rest of a bid. */
const keys = new Map<string, KeyObject>();

parentPort!.on('message', (message: KeysMessage | BatchMessage) => {
  if ('batch' in message) {
    const { batch, tasks, untilMs } = message;
    // Work for bids that are sent by now would make the next ones late, too.
    const lines = tasks.split('\n').map((line) => (Date.now() > untilMs ? '' : signed(line, Date.now())));
    return parentPort!.postMessage({ batch, tasks: lines.join('\n'), untilMs } satisfies BatchMessage);
  }
  keys.clear();
  for (const [network, pem] of message) keys.set(network, createPrivateKey(pem));
});

function signed(line: string, nowMs: number): string {
  const [
    network = '',
    version,
    sourceApp = '',
    aakSourceApp = '',
    number,
    itemId = '',
    reEngages,
    ...members
  ] = line.split('\t');
  const key = keys.get(network);
  if (!key) return '';
  const task = {
    network,
    version: version === '' ? null : (version as SkadnetworkVersion),
    sourceApp,
    aakSourceApp,
    sourceIdentifier: Number(number),
    itemId,
    reEngages: reEngages === '1',
    storeView: { skadn: members[0] ?? '', adAttributionKit: members[1] ?? '' },
  };
  return impressionExtension(task, key, nowMs);
}

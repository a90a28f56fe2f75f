import { normaliseBundle } from '@bidwell/contract/adsets/bundles';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { PublisherFacts } from '../../exchanges/publisher-apps.ts';
import type { ParsedRequest } from '../../model/bid-request.ts';
import { objectOf, textOf } from '../json.ts';

const TEXT_CHARS_MAX = 100;

/**
 * Reads the publisher's app from a bid request. `body` is the request as it was parsed. The store link comes from the
 * request if it belongs to the same app, otherwise from the bundle.
 */
export function readPublisher({ app, device, supplyChain }: ParsedRequest, body: unknown): PublisherFacts {
  const fields = objectOf(objectOf(body)['app']);
  const seller = supplyChain?.nodes.at(-1);
  return {
    name: lineOf(app?.name),
    publisher: lineOf(objectOf(fields['publisher'])['name']),
    storeLink: storeLinkOf(app?.bundle ?? '', device.os, textOf(fields['storeurl'])),
    chain: supplyChain === null ? 'absent' : supplyChain.complete ? 'complete' : 'incomplete',
    sellerDomain: lineOf(seller?.system),
    sellerId: lineOf(seller?.sellerId),
  };
}

function storeLinkOf(bundle: string, os: string, storeUrl: string): string {
  const named = storeUrl === '' ? null : parseStoreLink(storeUrl);
  // Apple's links have a number, and some apps of iOS are named by their bundle id.
  const isNumber = /^\d+$/.test(bundle);
  if (named && (normaliseBundle(named.bundleId) === bundle || (named.os === 'ios' && !isNumber)))
    return named.canonical;
  if (isNumber) return parseStoreLink(`https://apps.apple.com/app/id${bundle}`)?.canonical ?? '';
  if (os !== 'android') return '';
  return parseStoreLink(`https://play.google.com/store/apps/details?id=${bundle}`)?.canonical ?? '';
}

/** A text on one line, without control and format characters. */
function lineOf(value: unknown): string {
  const line = textOf(value)
    .slice(0, 2 * TEXT_CHARS_MAX)
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  return truncate(line, TEXT_CHARS_MAX);
}

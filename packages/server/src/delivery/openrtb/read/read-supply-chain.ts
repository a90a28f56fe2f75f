import { type JsonObject, arrayOf, flagOf, isObject, objectOf, textOf } from '../json.ts';
import type { SupplyChain } from '../../model/bid-request.ts';

const NODES_MAX = 50;
const TEXT_CHARS_MAX = 255;

/**
 * Reads the supply chain (OpenRTB 2.6, 3.2.2 `source.schain`; in 2.5 `source.ext.schain`). Null when there is none. A
 * chain without nodes, or with a node that lacks its system or seller, counts as incomplete.
 */
export function readSupplyChain(source: JsonObject): SupplyChain | null {
  const value = source['schain'] ?? objectOf(source['ext'])['schain'];
  if (!isObject(value)) return null;
  const nodes = arrayOf(value['nodes'], NODES_MAX).map((node) => {
    const { asi, sid, rid } = objectOf(node);
    return { system: short(asi).toLowerCase(), sellerId: short(sid), requestId: short(rid) };
  });
  const isWhole = nodes.length > 0 && nodes.every(({ system, sellerId }) => system !== '' && sellerId !== '');
  return { complete: flagOf(value['complete']) && isWhole, nodes };
}

function short(value: unknown): string {
  return textOf(value).slice(0, TEXT_CHARS_MAX);
}

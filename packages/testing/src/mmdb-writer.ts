/**
 * Writes databases of addresses in MaxMind's format (MaxMind DB File Format Specification 2.0): a search tree over the bits of
 * addresses, whose leaves point to records.
 */

/** Values of records: texts, whole numbers, lists and maps. */
type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

const RECORD_BYTES = 3;
const SEPARATOR = Buffer.alloc(16);
const MARKER = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);

/** A node of the tree, or the record of all addresses below it. */
type Branch = Node | { record: number } | null;
interface Node {
  children: [Branch, Branch];
}

/** The bytes of a database with a record for each network, such as `203.0.113.0/24` or `2001:db8::/32`. */
export function mmdbOf(networks: Readonly<Record<string, Value>>): Buffer {
  const root: Node = { children: [null, null] };
  const records: Buffer[] = [];
  for (const [network, value] of Object.entries(networks)) {
    insert(root, bitsOf(network), records.length);
    records.push(encoded(value));
  }
  const nodes = nodesIn(root);
  const indexes = new Map(nodes.map((node, index) => [node, index]));
  const offsets: number[] = [];
  let offset = 0;
  for (const record of records) {
    offsets.push(offset);
    offset += record.length;
  }
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  for (const [index, { children }] of nodes.entries())
    for (const [side, branch] of children.entries()) {
      const value =
        branch === null
          ? nodes.length
          : 'record' in branch
            ? nodes.length + SEPARATOR.length + offsets[branch.record]!
            : indexes.get(branch)!;
      tree.writeUIntBE(value, (index * 2 + side) * RECORD_BYTES, RECORD_BYTES);
    }
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_790_000_000,
    database_type: 'Test-City',
    description: { en: 'Addresses of tests' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
  });
  return Buffer.concat([tree, SEPARATOR, ...records, MARKER, metadata]);
}

function insert(root: Node, bits: readonly number[], record: number): void {
  let node = root;
  for (const [depth, bit] of bits.entries()) {
    if (depth === bits.length - 1) {
      node.children[bit] = { record };
      return;
    }
    const next = node.children[bit];
    if (next && 'children' in next) node = next;
    else {
      const made: Node = { children: [null, null] };
      node.children[bit] = made;
      node = made;
    }
  }
}

function nodesIn(root: Node): Node[] {
  const nodes = [root];
  for (const { children } of nodes)
    for (const branch of children) if (branch && 'children' in branch) nodes.push(branch);
  return nodes;
}

/** The bits of a network's prefix; IPv4 is below ::/96. */
function bitsOf(network: string): number[] {
  const [address = '', length = ''] = network.split('/');
  const isV4 = !address.includes(':');
  const bytes = isV4
    ? [...Array.from({ length: 12 }, () => 0), ...address.split('.').map(Number)]
    : v6Bytes(address);
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1));
  return bits.slice(0, Number(length) + (isV4 ? 96 : 0));
}

function v6Bytes(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 255]);
}

/** A value of the data section: its type and size, then its bytes. */
function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([control(2, bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (isList(value)) return Buffer.concat([control(11, value.length), ...value.map(encoded)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([key, one]) => [encoded(key), encoded(one)]),
  ]);
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Types above 7 are in a byte of their own; sizes from 29 on have a further byte. */
function control(type: number, size: number): Buffer {
  const short = Math.min(size, 29);
  return Buffer.from([
    type > 7 ? short : (type << 5) | short,
    ...(type > 7 ? [type - 7] : []),
    ...(size >= 29 ? [size - 29] : []),
  ]);
}

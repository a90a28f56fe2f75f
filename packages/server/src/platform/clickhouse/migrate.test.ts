import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrations } from './migrate.ts';

/** SHA-256 of each migration's statements with white space collapsed, which ClickHouse does not store. */
const deployed = [
  'e175bd521f23a5a25dfaa7d58475602e526359f31541f85347bf3505e8bd752a',
  '0f5c70c7ffca64d30c80233ccbc35896f375066eaef88232c3817311c7fc1e61',
  'eb7d685ae2cee4027ba38ad1660d7dc985741887e87addf48377dfc498527177',
  'a77d39892f3e7898634545c99f9504914ea59c5f9985d4a225b620c1d6cb7367',
  'ffa1a38585aa2b4739cff533435a9898ec544b6dc89499ca6d33579f4a3d11c2',
  '781b4a8169b8dea4107a6f343144ef868a66ba182f07cf66c1d189965d022dc8',
  '0386900f076b82f393a68d62578e23904e36878d453f0326f1aa3315c4ae140d',
  '314be2146482f659c22941f68e666cea96757a8ff82bd389178eadfe937f379b',
  'f9e80299fb5f7ccc9f4a0e5b781b20ee23be376aeb89d9247d5d7f9422615e30',
  '1f082811d8178252aa0094aa8b99eb563c7de707a2239669217130e16b331bb2',
  '973480ba288c8f3e774e9c345387372b4fd21eadef8e1fdb9f55745cdbfb4df7',
  'bd793b3e72f32c0ed6df4b07e5fc2a13cc9d3fdc88acdfd3c8c9b339f4642033',
  '0fa65659ae4e2653d7507fbf49629e7867c7e80ea6fa843324078dddb7d2f7c3',
  '1c51d85685c917334ffd2a9a2f8352625ed0619bc8eb19080a3e0f6447990724',
  '98608aee57cfd0b04c1925ac2ad40bde1e76478a66ee1e2928a175b31fb4dc9f',
  '7cf076cd5a9a935a6f58aa90ffc0381415ec46c66a2e25a184dde452815477df',
  '9f6281fe0773abd4de8ebc53b427c9f366d2455d35d201c0ad0435f4ffbd03c2',
  'a0ea1e8c4fcbde43c2658d49f97e631f1c05737bde54128f03795b010591bb88',
  'f35ec8469ab4a8ebbe7967e3406f60bf93a3bf3f07433a410fea6490c941217b',
  'f6a30e9a5f1696383a60f701f0b5f45aee1ad2d6def3e575a94a151f6b4e3523',
  '480f18289338d5cf75395fe603181a5da89d6cffcb207988e470114ebc10bd07',
  'fba1819e5066da74959b093d1982dadbb14ac9032fc163fc8df20c2ffcb6744d',
  '24f4c965f60d24d1c16ea9c49b409c30ba3e4108e5b8015605b7ee81ba6ff5ea',
  '60c96572b1b5b6de1824bc68e44b81d1c5ed1e3c096e837af6635a499afb1990',
  '21605f81169afa91eaf3e262e60f2db89c5d974d433ac9b382a990fd7c34b636',
  'e99c2e541b55ccdee2565947abf482b35aa152b67c21a2bb4edd4aadc5adee13',
  '0b513470ccc46a41be5dc8fd44a6429963d9e49f672baa8ba9629d9a5096016a',
];

const digestOf = (statements: readonly string[]) =>
  createHash('sha256')
    .update(statements.map((statement) => statement.replace(/\s+/g, ' ')).join('\n'))
    .digest('hex');

test('released migrations keep their SQL unchanged, also where declarations generate it', () => {
  expect(migrations.map(digestOf)).toEqual(deployed);
});

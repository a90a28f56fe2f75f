/** The rules for imports between the folders of the server, and within delivery. */

/**
 * Folders of `packages/server/src` from the lowest up, context.ts among them; a file imports from its own folder and from
 * lower layers only.
 */
const LAYERS = [
  ['platform'],
  ['config', 'delivery'],
  ['context.ts'],
  ['modules'],
  ['backup', 'mcp'],
  ['cli', 'start'],
];
/** Layers of the delivery engine from the lowest up; a file imports from its own folder and from lower layers only. */
const DELIVERY_LAYERS = [
  ['model'],
  ['exchanges', 'privacy', 'skadnetwork'],
  ['matching'],
  ['snapshot'],
  ['learning'],
  ['auction', 'event-store'],
  ['event-log'],
  ['trackers'],
  ['postbacks'],
  ['counting', 'funnel', 'markup', 'pacing'],
  ['openrtb'],
  ['forecast'],
];
/** What others than `start/` may import of the delivery engine. */
const DELIVERY_FACE = new Set(['delivery.ts', 'public.ts']);
/** Folders of delivery that compute only: what they get, they get as arguments. */
const PURE = /^packages\/server\/src\/delivery\/(model|auction|markup)\//;
/** What does I/O. */
const IMPURE =
  /^packages\/server\/.*(-|\/)store\.ts$|^packages\/server\/src\/platform\/(clickhouse|files|http|jobs|mail|nats|outbound|postgres|realtime)\//;
const IMPURE_PACKAGES =
  /^(node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|tls|worker_threads)(\/|$)|kysely$|pg$|@clickhouse\/)/;

/**
 * What is wrong with an import of a file of the server: `to` is the path of the imported file, undefined outside the
 * repository; `target` is the import as written.
 */
export function* serverBreaches(path, to, target) {
  const own = within(path);
  if (own === undefined) return;
  if (PURE.test(path) && (IMPURE.test(to ?? '') || IMPURE_PACKAGES.test(target)))
    yield `delivery/${own[1]} is pure and may not import ${target}`;
  const its = within(to ?? '');
  if (its === undefined) return;
  const [layer, lower] = [own, its].map(([folder]) => LAYERS.findIndex((names) => names.includes(folder)));
  if (layer < 0) yield `${own[0]} has no layer in the server`;
  else if (own[0] === 'platform' && its[0] !== 'platform')
    yield `platform/ stands below all else and may not import ${target}`;
  else if (own[0] !== its[0] && (lower < 0 || lower >= layer))
    yield `${own[0]}/ may not import ${target}, which is not below it`;
  else if (its[0] === 'delivery' && !['delivery', 'start'].includes(own[0]) && !isFace(its))
    yield `reaches into delivery past its public.ts: ${target}`;
  if (own[0] === 'delivery' && its[0] === 'delivery') yield* deliveryBreaches(own, its, target);
}

const isFace = ([, ...rest]) => DELIVERY_FACE.has(rest.join('/'));

function* deliveryBreaches(own, its, target) {
  const [from, lower] = [own, its].map(([, folder, file]) => (file === undefined ? undefined : folder));
  if (from === undefined || from === lower) return;
  const [layer, below] = [from, lower].map((name) =>
    DELIVERY_LAYERS.findIndex((names) => names.includes(name)),
  );
  if (layer < 0) yield `delivery/${from} has no layer`;
  else if (below < 0 || below >= layer)
    yield `delivery/${from} may not import ${target}, which is not below it`;
}

/** The parts of a path within the server's sources; undefined elsewhere. */
function within(path) {
  return /^packages\/server\/src\/(.+)$/.exec(path)?.[1].split('/');
}

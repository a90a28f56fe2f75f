/** The rules for imports within the console. */

/** Folders of the console from the lowest up; a file imports from its own folder and from lower ones only. */
const LAYERS = ['lib', 'ui', 'entities', 'features', 'app'];
/** Entities from the lowest up; one imports only those of lower layers. */
const ENTITY_LAYERS = [
  [
    'accounts',
    'alerts',
    'apps',
    'campaign-reports',
    'changes',
    'companies',
    'creative-groups',
    'creatives',
    'duplicates',
    'exchanges',
    'finance',
    'insight',
    'measurement',
    'moderation',
    'notifications',
    'operator',
    'postbacks',
    'reference',
    'report-schedules',
    'reports',
    'skadnetwork',
    'targets',
  ],
  ['archive', 'campaigns', 'operator-accounts', 'tracking-links'],
  ['live'],
];

/**
 * What is wrong with an import of a file of the console: `to` is the path of the imported file, undefined outside the
 * repository; `target` is the import as written.
 */
export function* consoleBreaches(path, to, target) {
  const own = placeOf(path);
  if (!own) return;
  if (own.folder === 'ui' && /^@bidwell\/contract\/(?!lib\/|text\/)/.test(target))
    yield `ui knows no entity and may not import ${target}`;
  const its = to && placeOf(to);
  if (!its) return;
  const [layer, lower] = [own, its].map(({ folder }) => LAYERS.indexOf(folder));
  if (layer < 0) yield `${own.folder}/ has no layer`;
  else if (lower > layer) yield `${own.folder} may not import ${target}, which is above it`;
  else if (lower === layer && its.name !== own.name) yield* siblingBreaches(own, its, target);
}

function* siblingBreaches({ folder, name }, its, target) {
  if (folder === 'features') yield `feature ${name} imports feature ${its.name}`;
  if (folder !== 'entities') return;
  const [layer, lower] = [name, its.name].map((each) =>
    ENTITY_LAYERS.findIndex((names) => names.includes(each)),
  );
  if (layer < 0) yield `entities/${name} has no layer`;
  else if (lower < 0 || lower >= layer)
    yield `entities/${name} may not import ${target}, which is not below it`;
}

/** The layer of a file of the console and the feature or entity; files beside the layers are part of the app. */
function placeOf(path) {
  const [, within] = /^packages\/console\/src\/(.+)$/.exec(path) ?? [];
  if (within === undefined) return null;
  const [folder, name, file] = within.split('/');
  return name === undefined ? { folder: 'app' } : { folder, name: file === undefined ? undefined : name };
}

import { CONSOLE_PATHS, isConsolePath } from '@bidwell/contract/reference/console-paths';
import { expect, test } from 'vitest';
import { router } from './router.tsx';

test('the server sends the page for the paths of the router', () => {
  const paths = Object.keys(router.routesByPath).map((path) => path.replace(/(?<=.)\/$/, ''));
  expect([...CONSOLE_PATHS].sort()).toEqual([...new Set(paths)].sort());
});

test.each([
  ['/campaigns', true],
  ['/campaigns/', true],
  ['/Campaigns', true],
  ['/operator/exchanges/acme', true],
  ['/operator/exchanges/acme/more', false],
  ['/nothing', false],
  ['/campaigns/nothing', false],
  ['//campaigns', false],
])('the router and the server agree whether there is a screen at %s', (path, isThere) => {
  const [, params, route] = router.getMatchedRoutes(path);
  const isFound = route !== undefined && params['**'] === undefined;
  expect([isConsolePath(path), isFound]).toEqual([isThere, isThere]);
});

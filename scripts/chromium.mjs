import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Where the browser is: CHROMIUM_PATH, or where the distributions put it. Undefined when there is none. */
export function chromiumPath() {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path));
}

/** Installs Chromium by apt where that is possible and it is missing; otherwise answers a sentence that says what to do. */
export function ensureChromium() {
  if (chromiumPath()) return null;
  const hint =
    'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) or name it in CHROMIUM_PATH.';
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return hint;
  console.log('Installing Chromium (once) …');
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  }
  return chromiumPath() ? null : hint;
}

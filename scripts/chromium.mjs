import { existsSync } from 'node:fs';

/** The shell has no window and no browser interface, so it draws pages with less work. */
const paths = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Path of the browser: CHROMIUM_PATH, or its default paths in distributions. Undefined if there is none. */
export function chromiumPath() {
  return [process.env.CHROMIUM_PATH, ...paths].find((path) => path && existsSync(path));
}

/** The browser of the browser tests, the screenshots and the console's benchmark. */
export const chromium = {
  isThere: () => chromiumPath() !== undefined,
  packages: ['chromium-headless-shell', 'chromium'],
  hint: 'Chromium is missing: install it (Debian: sudo apt-get install chromium-headless-shell) or name it in CHROMIUM_PATH.',
};

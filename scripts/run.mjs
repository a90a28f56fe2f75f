/**
 * npm run demo | npm start | npm run dev: installs and builds if necessary, then runs the server until Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, programPath } from './build.mjs';
import { ensureInstalled, root } from './install.mjs';
import { nodeOptions } from './memory.mjs';

const mode = process.argv[2] ?? 'start';
ensureInstalled();

const { flags, environment } = nodeOptions();

if (mode === 'dev') {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  run([
    [
      process.execPath,
      [tsx, 'watch', '--clear-screen=false', 'packages/server/src/start/serve.ts'],
      { ...environment, NODE_ENV: 'development' },
    ],
    [
      process.execPath,
      [vite, '--config', 'packages/console/vite.config.ts', 'packages/console'],
      environment,
    ],
  ]);
} else {
  ensureBuilt();
  const program = programPath(mode === 'demo' ? 'demo' : 'serve');
  run([[process.execPath, [...flags, program, ...process.argv.slice(3)], environment]]);
}

/** Runs programs in parallel; the first exit, or a signal, ends them all. */
function run(commands) {
  // A process group of their own: the terminal's Ctrl-C reaches this process only, which forwards it once. The IPC channel
  // disconnects when this process exits.
  const children = commands.map(([command, args, env]) =>
    spawn(command, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true }),
  );
  const stop = (signal) => {
    for (const child of children) if (child.exitCode === null) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal));
  for (const child of children) {
    child.on('exit', (code, signal) => {
      if (code || signal === 'SIGKILL') process.exitCode = code || 1;
      stop('SIGTERM');
      if (children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null))
        process.exit();
    });
  }
}

import { expect, onTestFinished, test } from 'vitest';
import { ManagedProcess } from './managed-process.ts';

/** A Node process that runs `code`; it is ready once it has printed "ready". */
function processOf(code: string, more: { isTransient?(output: string): boolean } = {}): ManagedProcess {
  const made = new ManagedProcess({
    name: 'example',
    command: process.execPath,
    args: ['-e', code],
    isReady: (output) => output.includes('ready'),
    ...more,
  });
  onTestFinished(async () => void (await made.kill()));
  return made;
}

const STAYS = 'setInterval(() => {}, 1000); console.log("ready");';

test('a process is stopped, started again and killed', async () => {
  const one = processOf(`process.on('SIGTERM', () => process.exit(3)); ${STAYS}`);
  await one.start();
  const first = one.pid;
  expect(await one.stop()).toMatchObject({ code: 3 });
  expect(one.isRunning).toBe(false);
  await one.start();
  expect(one.pid).not.toBe(first);
  expect(await one.kill()).toMatchObject({ code: 'SIGKILL' });
});

test('a failed start shows the end of the output', async () => {
  const one = processOf('console.error("The disk is full."); process.exit(7)');
  await expect(one.start()).rejects.toThrow('example ended with 7 before it was ready: The disk is full.');
});

test('a start that fails for a transient reason is tried again', async () => {
  const untilMs = Date.now() + 300;
  const one = processOf(
    `if (Date.now() < ${untilMs}) { console.log("too early"); process.exit(1); } ${STAYS}`,
    {
      isTransient: (output) => output.includes('too early'),
    },
  );
  await one.start();
  expect(one.isRunning).toBe(true);
});

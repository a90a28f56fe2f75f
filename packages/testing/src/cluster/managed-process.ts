import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const OUTPUT_CHARACTERS = 16_000;
/** The part of the output that an error shows. */
const SHOWN_CHARACTERS = 3000;
const READY_WITHIN_MS = 180_000;
const POLL_MS = 50;
const STOP_WITHIN_MS = 60_000;
const SETPRIV = '/usr/bin/setpriv';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** How a process ended: its exit code or the signal that ended it, and how long that took. */
export interface Ending {
  code: number | string;
  ms: number;
}

/** What to run, and when it is ready. */
export interface ProcessDefinition {
  /** Such as `bidder-1`. */
  name: string;
  command: string;
  args: readonly string[];
  environment?: Readonly<Record<string, string>>;
  /** Opens a message channel. Programs of this repository end once it closes, so they do not outlive this process. */
  hasChannel?: boolean;
  /** Sends the process a signal to stop; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** True once the process can work; an error counts as false. */
  isReady(output: string): boolean | Promise<boolean>;
  /** True if the process ended for a reason that passes by itself, so that its start is tried again. */
  isTransient?(output: string): boolean;
}

/** A child process that a test kills, stops and starts again. All that waits is bounded in time. */
export class ManagedProcess {
  readonly #definition: ProcessDefinition;
  #child: ChildProcess | undefined;
  #output = '';
  #ended: Promise<number | string> = Promise.resolve(0);

  constructor(definition: ProcessDefinition) {
    this.#definition = definition;
  }

  get name(): string {
    return this.#definition.name;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** The process id; undefined unless it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The last part of what it printed since its last start. */
  output(): string {
    return this.#output;
  }

  /** Starts it and resolves once it is ready. Throws with the end of its output if it ends, or is not ready in three minutes. */
  async start(): Promise<void> {
    const endMs = performance.now() + READY_WITHIN_MS;
    while (!(await this.#startOnce(endMs))) await wait(POLL_MS);
  }

  /** Kills it with SIGKILL, and resolves once it has ended. */
  async kill(): Promise<Ending> {
    return this.#end('SIGKILL');
  }

  /** Tells it to stop, and resolves once it has ended. After a minute it is killed: the code is then `SIGKILL`. */
  async stop(): Promise<Ending> {
    return this.#end(this.#definition.stopSignal ?? 'SIGTERM');
  }

  async #startOnce(endMs: number): Promise<boolean> {
    const { name, isReady, isTransient } = this.#definition;
    if (this.#child) throw new Error(`${name} runs already.`);
    this.#output = '';
    this.#spawn();
    for (;;) {
      if (!this.isRunning) {
        if (isTransient?.(this.#output) && performance.now() < endMs) return false;
        throw this.#failure(`ended with ${await this.#ended} before it was ready`);
      }
      if (await Promise.resolve(isReady(this.#output)).catch(() => false)) return true;
      if (performance.now() > endMs) {
        await this.kill();
        throw this.#failure(`was not ready in ${READY_WITHIN_MS / 1000} seconds`);
      }
      await wait(POLL_MS);
    }
  }

  #spawn(): void {
    const { command, args, environment, hasChannel } = this.#definition;
    const child = spawn(command, args, {
      env: { PATH: process.env['PATH'], ...environment },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
      // Ctrl-C in a terminal ends this process only, which then stops the others in their order.
      detached: true,
    });
    this.#child = child;
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => this.#keep(chunk.toString()));
    child.on('error', (error) => this.#keep(`${error.message}\n`));
    running.add(child);
    const ended = once(child, 'exit').then(
      ([code, signal]) => (code ?? signal) as number | string,
      () => 'no program',
    );
    this.#ended = ended.then((code) => {
      running.delete(child);
      this.#child = undefined;
      return code;
    });
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS);
  }

  async #end(signal: NodeJS.Signals): Promise<Ending> {
    const startedMs = performance.now();
    this.#child?.kill(signal);
    const killer = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_WITHIN_MS);
    const code = await this.#ended;
    clearTimeout(killer);
    return { code, ms: Math.round(performance.now() - startedMs) };
  }

  #failure(what: string): Error {
    return new Error(`${this.name} ${what}: ${this.#output.trim().slice(-SHOWN_CHARACTERS) || 'no output'}`);
  }
}

/** The command with a prefix, where the system has it, that ends the program with this process, even a killed one. */
export function endingWithUs(command: string, args: readonly string[], signal: 'KILL' | 'QUIT') {
  if (!existsSync(SETPRIV)) return { command, args };
  return { command: SETPRIV, args: [`--pdeathsig=${signal}`, command, ...args] };
}

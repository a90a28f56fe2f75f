import { isReady } from './server-processes.ts';

const CHECK_EVERY_MS = 200;
const CHECK_WITHIN_MS = 1500;

/** Distributes requests over the processes of a role that are ready; over all of them while none is, as a busy one may seem to be. */
export class Balancer {
  readonly #ports: readonly number[];
  readonly #ready = new Set<number>();
  readonly #checking = new Set<number>();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  /** Requests /readyz of each port several times a second, until it is closed. */
  constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#timer = setInterval(() => void this.check(), CHECK_EVERY_MS);
  }

  /** Ports of up to `count` different processes, in turn. */
  next(count: number): number[] {
    const ready = this.#ports.filter((port) => this.#ready.has(port));
    const used = ready.length === 0 ? this.#ports : ready;
    this.#turn += 1;
    const first = used.length === 0 ? 0 : this.#turn % used.length;
    return [...used.slice(first), ...used.slice(0, first)].slice(0, count);
  }

  /** Checks all processes once. */
  async check(): Promise<void> {
    await Promise.all(this.#ports.map((port) => this.#checkOne(port)));
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #checkOne(port: number): Promise<void> {
    if (this.#checking.has(port)) return;
    this.#checking.add(port);
    const ready = await isReady(`http://127.0.0.1:${port}`, CHECK_WITHIN_MS);
    this.#checking.delete(port);
    if (ready) this.#ready.add(port);
    else this.#ready.delete(port);
  }
}

import type { Logger } from 'pino';

/** Messages between the processes of an installation. They may be lost, and each is received at most once. */
export interface Bus {
  /** Whether messages are published now; otherwise they are dropped. */
  isUp(): boolean;
  /** Publishes to the other processes. Returns false if the message was dropped. Never throws or blocks. */
  publish(subject: string, payload: Uint8Array | string): boolean;
  /** Calls `listener` with the messages of other processes. */
  subscribe(subject: string, listener: (payload: Uint8Array) => void): void;
  /**
   * Calls `listener` once messages arrive, and again after each interruption, in which messages were not received. At once
   * if they arrive already.
   */
  onUp(listener: () => void): void;
}

/** Longest message, bytes; longer ones are neither published nor read. */
export const MESSAGE_BYTES_MAX = 256 * 1024;

/** A message's content after a byte that holds the version of its format. */
export function versioned(version: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(version), content]);
}

/**
 * Subscribes to {@link versioned} messages of one version. `read` returns false for a content that is not valid. Messages
 * of other versions, which processes of another release send, and invalid ones are ignored; the first of each is logged.
 */
export function subscribeTo(
  bus: Bus,
  { subject, version, log }: { subject: string; version: number; log: Logger },
  read: (content: Buffer) => boolean,
): void {
  const logged = new Set<string>();
  const ignore = (reason: string, details: object): void => {
    if (logged.has(reason)) return;
    logged.add(reason);
    log.warn({ subject, ...details }, `messages of another process are ignored: ${reason}`);
  };
  bus.subscribe(subject, (payload) => {
    const theirs = payload[0] ?? 0;
    if (payload.length > MESSAGE_BYTES_MAX) ignore('too long', { bytes: payload.length });
    else if (theirs !== version) ignore(`of version ${theirs}, not ${version}`, {});
    else if (!read(Buffer.from(payload.buffer, payload.byteOffset + 1, payload.length - 1)))
      ignore('not valid', {});
  });
}

import type { DeliveryEvent } from '../model/event.ts';

/** Announces the events that this process has counted. */
export interface CountedEvents {
  /** Calls `listener` once for each round, with its events: stored, and each the first of its kind. */
  onCounted(listener: (events: readonly DeliveryEvent[]) => void): void;
}

export function countedEvents(): CountedEvents & { announce(events: readonly DeliveryEvent[]): void } {
  const listeners: ((events: readonly DeliveryEvent[]) => void)[] = [];
  return {
    onCounted: (listener) => void listeners.push(listener),
    announce(events) {
      for (const listener of listeners) listener(events);
    },
  };
}

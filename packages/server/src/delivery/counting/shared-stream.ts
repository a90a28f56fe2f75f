import type { EventStream } from './event-stream.ts';

/** The event stream, as the parts of a process share it. */
export interface SharedStream {
  /** The open stream; opens it if necessary. */
  open(): Promise<EventStream>;
  /** Makes the next `open` look again whether it is still the same stream. */
  lost(): void;
}

export function sharedStream(open: () => Promise<EventStream>): SharedStream {
  let opened: Promise<EventStream> | null = null;
  return {
    open() {
      const opening = (opened ??= open());
      opening.catch(() => {
        if (opened === opening) opened = null;
      });
      return opening;
    },
    lost: () => void (opened = null),
  };
}

const EVERY_MS = 1000;

/** Reports what a long preparation is at. */
export interface Progress {
  /** Begins a phase. */
  phase(name: string): void;
  /** The part of the phase that is done, 0 to 1. */
  done(share: number): void;
  /** Ends the reports. */
  stop(): void;
}

/** Reports each phase when it begins, and each second how much of it is done. */
export function progressEachSecond(report: (line: string) => void): Progress {
  let phase = '';
  let share = 0;
  const tell = (): void => {
    if (phase !== '') report(`${phase}: ${Math.floor(share * 100)}%`);
  };
  const timer = setInterval(tell, EVERY_MS);
  return {
    phase(name) {
      phase = name;
      share = 0;
      tell();
    },
    done(part) {
      share = part;
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** Reports the progress of one upload. */
export interface UploadHandle {
  /** The share sent, from 0 to 1. */
  progress: (share: number) => void;
  /** The upload has ended, accepted or not. */
  end: () => void;
}

/** How long the progress bar stays after all uploads have ended. */
export const HIDE_DELAY_MS = 1000;

/** Average progress of all uploads; null once all have been over for a second. */
export class UploadProgress {
  private shares = new Map<symbol, number>();
  private listeners = new Set<() => void>();
  private hiding: ReturnType<typeof setTimeout> | undefined;

  /** Adds an upload. */
  begin(): UploadHandle {
    const key = Symbol('upload');
    this.set(key, 0);
    return {
      progress: (share) => {
        if ((this.shares.get(key) ?? 1) < 1) this.set(key, Math.min(Math.max(share, 0), 1));
      },
      end: () => {
        if (this.shares.has(key)) this.set(key, 1);
      },
    };
  }

  /** The average in whole percent; null while nothing is shown. */
  percent = (): number | null => {
    if (this.shares.size === 0) return null;
    const sum = [...this.shares.values()].reduce((total, share) => total + share, 0);
    return Math.floor((sum / this.shares.size) * 100);
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private set(key: symbol, share: number): void {
    this.shares.set(key, share);
    clearTimeout(this.hiding);
    if ([...this.shares.values()].every((other) => other === 1)) {
      this.hiding = setTimeout(() => {
        this.shares.clear();
        this.notify();
      }, HIDE_DELAY_MS);
    }
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The uploads of this page. */
export const uploads = new UploadProgress();

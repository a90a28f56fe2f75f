/** What an upload tells of itself. */
export interface UploadHandle {
  /** Its share that is sent, from 0 to 1. */
  progress: (share: number) => void;
  /** It is over, accepted or not. */
  end: () => void;
}

/** How long the bar stays once all uploads are through (specification, section 9). */
export const HIDE_DELAY_MS = 1000;

/** Follows uploads: their average, and nothing once all have been through for a second. */
export class UploadProgress {
  private shares = new Map<symbol, number>();
  private listeners = new Set<() => void>();
  private hiding: ReturnType<typeof setTimeout> | undefined;

  /** Follows one more upload. */
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

  /** The average in percent, whole; null while nothing is shown. */
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
        this.tell();
      }, HIDE_DELAY_MS);
    }
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The uploads of this page. */
export const uploads = new UploadProgress();

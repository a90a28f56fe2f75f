import { type DraftSummary, DraftVersion } from '@bidwell/contract/drafts/schema';
import { messages } from '@bidwell/contract/text/messages';
import { ApiError, failureText, isAway } from '../../../lib/api/api-error.ts';
import { deleteDraft, readDraft, storeDraft } from '../../../lib/draft.ts';

type Values = Record<string, unknown>;

/** The calls on drafts of the server. */
export interface DraftCalls {
  create: (input: { values: Values }) => Promise<DraftSummary>;
  update: (uuid: string, input: { values: Values; version: number }) => Promise<DraftSummary>;
  discard: (uuid: string) => Promise<unknown>;
}

/** The state of the last change of a form. */
export interface DraftState {
  /**
   * `none`: nothing is stored; `saving`: it is or will be sent; `away`: the server was unavailable, and is tried again; `conflict`: someone else changed the draft;
   * `rejected`: the server did not take it.
   */
  status: 'none' | 'saving' | 'saved' | 'away' | 'conflict' | 'rejected';
  /** The draft as it was stored last; its version alone after a reload of the page. */
  draft: DraftVersion | DraftSummary | null;
  /** Why it is not stored. */
  message?: string;
}

interface Options {
  /** Under which this browser remembers which draft the form shows. */
  key: string;
  /** The draft of the server with which the form was opened, and its values in the form. */
  opened: (DraftVersion & { values: Values }) | null;
  /** Whether this browser has values of the form that are not stored: then the version that they were typed into counts. */
  hasTyped?: boolean;
  calls: DraftCalls;
  /** Time without typing after which a change is stored, and time until the next try where the server is away. */
  waitMs?: number;
  retryMs?: number;
}

/**
 * Stores the input of a form on the server, one save at a time, as a draft with a version, so that it never overwrites
 * changes of someone else.
 */
export class DraftSaver {
  private state: DraftState;
  private readonly listeners = new Set<() => void>();
  private readonly options: Required<Options>;
  private typed: Values | null = null;
  /** The values that the server has, as JSON. */
  private stored: string | null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: Promise<void> = Promise.resolve();
  private isPaused = false;

  constructor(options: Options) {
    this.options = { waitMs: 1500, retryMs: 15_000, hasTyped: false, ...options };
    const { key, opened } = options;
    const remembered = !opened || options.hasTyped ? readDraft(key, DraftVersion) : null;
    const draft = remembered ?? (opened && { uuid: opened.uuid, version: opened.version });
    this.stored = opened && JSON.stringify(opened.values);
    this.state = { status: draft ? 'saved' : 'none', draft };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): DraftState => this.state;

  /** Stores these values once nothing has been typed for a while. */
  change(values: Values): void {
    const { status, draft } = this.state;
    if (status === 'saved' && JSON.stringify(values) === this.stored) return;
    this.typed = values;
    if (this.isPaused || status === 'conflict') return;
    this.set({ status: 'saving', draft });
    this.saveAfter(this.options.waitMs);
  }

  /** Stores pending input at once, as when the form is left. */
  flush(): void {
    clearTimeout(this.timer);
    if (this.typed && !this.isPaused && this.state.status !== 'conflict') void this.save();
  }

  /**
   * Stores pending input and then stops: the form is being sent. Resolves to the draft, if there is one. Throws ApiError if
   * someone else changed it.
   */
  async settle(): Promise<DraftVersion | null> {
    clearTimeout(this.timer);
    await this.running;
    if (this.typed && this.state.draft && this.state.status !== 'conflict') await this.save();
    const { status, draft, message } = this.state;
    if (status === 'conflict') throw new ApiError(409, message ?? messages.tryAgain);
    this.isPaused = true;
    return draft && { uuid: draft.uuid, version: draft.version };
  }

  /** Goes on storing: the form could not be sent. */
  resume(): void {
    this.isPaused = false;
    if (this.typed) this.saveAfter(this.options.waitMs);
  }

  /** Stops storing and detaches the draft: it was used, or another one begins. */
  reset(): void {
    clearTimeout(this.timer);
    this.typed = null;
    this.stored = null;
    deleteDraft(this.options.key);
    this.set({ status: 'none', draft: null });
  }

  /** Discards the draft for everyone. Throws ApiError. */
  async discard(): Promise<void> {
    clearTimeout(this.timer);
    this.isPaused = true;
    await this.running;
    const { draft } = this.state;
    try {
      if (draft) await this.options.calls.discard(draft.uuid);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) {
        this.resume();
        throw error;
      }
    }
    this.reset();
  }

  /** After a conflict: stores the own values as another draft. */
  keepOwn(): void {
    this.set({ status: 'none', draft: null });
    void this.save();
  }

  /** After a conflict: the form shows the draft as someone else left it. */
  take({ values, ...draft }: DraftVersion & { values: Values }): void {
    clearTimeout(this.timer);
    this.typed = null;
    this.stored = JSON.stringify(values);
    this.setDraft(draft);
  }

  private saveAfter(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), ms);
  }

  private save(): Promise<void> {
    this.running = this.running.then(() => this.saveNow());
    return this.running;
  }

  private async saveNow(): Promise<void> {
    const values = this.typed;
    if (!values) return;
    this.typed = null;
    const { draft } = this.state;
    this.set({ status: 'saving', draft });
    try {
      const { create, update } = this.options.calls;
      const { uuid, version } = draft ?? {};
      const saved = await (uuid === undefined || version === undefined
        ? create({ values })
        : update(uuid, { values, version }));
      this.stored = JSON.stringify(values);
      this.setDraft(saved);
    } catch (error) {
      this.typed ??= values;
      this.fail(error, draft);
    }
  }

  private fail(error: unknown, draft: DraftState['draft']): void {
    const status = error instanceof ApiError ? error.status : 0;
    if (status === 404 && draft) {
      // Someone else discarded or used it: the input is stored as another draft.
      this.set({ status: 'none', draft: null });
      this.saveAfter(0);
    } else if (isAway(error)) {
      this.set({ status: 'away', draft });
      this.saveAfter(this.options.retryMs);
    } else {
      this.set({
        status: status === 409 && draft ? 'conflict' : 'rejected',
        draft,
        message: failureText(error),
      });
    }
  }

  private setDraft(draft: DraftVersion | DraftSummary): void {
    storeDraft(this.options.key, { uuid: draft.uuid, version: draft.version });
    this.set({ status: this.typed ? 'saving' : 'saved', draft });
  }

  private set(state: DraftState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

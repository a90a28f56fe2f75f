import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { failureText } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';

/** How long sent values stay in memory after their form has closed: briefly, as they may contain a password. */
const GC_MS = 1000;

export interface SaveOptions<Input, Saved> {
  /** Asks whether it is meant; when false, nothing is sent. */
  confirm?: ((input: Input) => Promise<boolean>) | undefined;
  /** Sends the input; functions of entities also refetch what shows it. Throws ApiError. */
  send: (input: Input) => Promise<Saved>;
  /** The message once it is saved; none without it. */
  done?: string | ((saved: Saved, input: Input) => string);
  /** Called once it is saved, after the message. `busy` lasts until its promise resolves; what it throws is a failure. */
  onSaved?: (saved: Saved, input: Input) => unknown;
  /** Called with a failure, before its toast: shows its messages at their fields. Where it returns true, no toast does. */
  onFailure?: (error: unknown, input: Input) => unknown;
  /** The message of a failure without one of the server. */
  failure?: string;
  /** True where the caller shows `error`: then no toast does. */
  shownInPlace?: boolean;
}

interface Save<Input> {
  /** Saves the input. Does nothing while another save is running. */
  save: (input: Input) => void;
  /** Whether a save is running. */
  busy: boolean;
  /** The values that are being saved; undefined while there is no save. */
  sent: Input | undefined;
  /** Why the last save failed, as a sentence; undefined after a success and while the next one runs. */
  error: string | undefined;
}

/** The way to save: sends once at a time, says that it is saved or why not, and shows errors at their fields. */
export function useSave<Input = void, Saved = unknown>(options: SaveOptions<Input, Saved>): Save<Input> {
  const isRunning = useRef(false);
  // Not with the callbacks of a mutation, which belong to the newest render: messages are about the sent values,
  // also if the screen shows the result already.
  const run = async (input: Input): Promise<void> => {
    const { confirm, send, done, onSaved, onFailure, failure, shownInPlace = false } = options;
    try {
      if (confirm && !(await confirm(input))) return;
      const saved = await send(input);
      if (done !== undefined) toastSuccess(typeof done === 'string' ? done : done(saved, input));
      await onSaved?.(saved, input);
    } catch (error) {
      const isTold = onFailure?.(error, input) === true;
      if (!isTold && !shownInPlace) toastError(error, failure);
      throw error;
    } finally {
      isRunning.current = false;
    }
  };
  const { mutate, isPending, variables, error } = useMutation<void, unknown, Input>(
    // Offline the request fails at once, with a message, instead of waiting for the network.
    { mutationFn: run, networkMode: 'always', gcTime: GC_MS },
    // The screens of visitors without a session, and toasts, have no provider.
    queryClient,
  );
  return {
    save: (input) => {
      if (isRunning.current) return;
      isRunning.current = true;
      mutate(input);
    },
    busy: isPending,
    sent: isPending ? variables : undefined,
    error: error === null ? undefined : failureText(error, options.failure),
  };
}

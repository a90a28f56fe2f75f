import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** View state of a table. Screens keep it in the URL, so that reload, back and shared links restore it. */
export interface TableState {
  /** The search text. */
  q?: string | undefined;
  /** Id of the column to sort by, with a leading minus for descending. */
  sort?: string | undefined;
  /** From 1. */
  page?: number | undefined;
  size?: number | undefined;
  /** True shows archived rows instead of current ones; for tables with `isArchived`. */
  archived?: boolean | undefined;
  /** The only status that is shown; for tables with `filters`. */
  status?: string | undefined;
  /** Uuid of the only app whose rows are shown; for tables with `filters`. */
  app?: string | undefined;
  /** The only kind that is shown; for tables with `filters`. */
  kind?: string | undefined;
}

/** The table state in the URL of the current screen, and a function that changes it. */
export function useTableSearch(): [TableState, (state: TableState) => void] {
  const { q, sort, page, size, archived, status, app, kind } = useSearch({ strict: false }) as TableState;
  const navigate = useNavigate();
  const change = useCallback(
    (state: TableState) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...state }), replace: true }),
    [navigate],
  );
  return [{ q, sort, page, size, archived, status, app, kind }, change];
}

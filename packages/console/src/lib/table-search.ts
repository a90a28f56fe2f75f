import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Table state in the URL: search, filters, order, page and page size. */
export interface TableSearch {
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  size?: number | undefined;
  archived?: boolean | undefined;
  status?: string | undefined;
  app?: string | undefined;
}

/** The table state in the URL of the current screen, and a function that changes it. */
export function useTableSearch(): [TableSearch, (state: TableSearch) => void] {
  const { q, sort, page, size, archived, status, app } = useSearch({ strict: false }) as TableSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (state: TableSearch) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...state }), replace: true }),
    [navigate],
  );
  return [{ q, sort, page, size, archived, status, app }, change];
}

import { useNavigate, useSearch } from '@tanstack/react-router';

/** How far the tree is open: to which level every row shows. */
export type Depth = 'campaign' | 'adset' | 'creative';

const order: Readonly<Record<string, number>> = { campaign: 0, adset: 1, creative: 2 };

/** Rows that the address names at most: it has to stay an address. */
const SWITCHED_MAX = 40;

/** Which rows of the tree are open. The address keeps the depth, and the rows that were switched against it. */
export function useOpenRows() {
  const { depth = 'campaign', open = '' } = useSearch({ strict: false }) as { depth?: Depth; open?: string };
  const navigate = useNavigate();
  const switched = open === '' ? [] : open.split(',');
  const change = (search: { depth?: Depth | undefined; open?: string | undefined }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...search }), replace: true });
  return {
    depth,
    switched,
    /** Whether any row may be open. */
    any: depth !== 'campaign' || switched.length > 0,
    isOpen: (id: string, kind: string) => order[kind]! < order[depth]! !== switched.includes(id),
    toggle: (id: string) => {
      const next = switched.includes(id) ? switched.filter((other) => other !== id) : [...switched, id];
      change({ open: next.slice(-SWITCHED_MAX).join(',') || undefined });
    },
    setDepth: (next: Depth) => change({ depth: next === 'campaign' ? undefined : next, open: undefined }),
  };
}

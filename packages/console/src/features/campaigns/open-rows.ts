import { useNavigate, useSearch } from '@tanstack/react-router';

/** The deepest level whose rows are all visible. */
export type Depth = 'campaign' | 'adset' | 'creative';

const order: Readonly<Record<string, number>> = { campaign: 0, adset: 1, creative: 2 };

/** Maximum number of row ids in the URL, to limit its length. */
const SWITCHED_MAX = 40;

/** Which rows of the tree are expanded. The URL holds the depth, and the ids of rows toggled against it. */
export function useOpenRows() {
  const { depth = 'campaign', open = '' } = useSearch({ strict: false }) as { depth?: Depth; open?: string };
  const navigate = useNavigate();
  const switched = open === '' ? [] : open.split(',');
  const change = (search: { depth?: Depth | undefined; open?: string | undefined }) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...search }), replace: true });
  return {
    depth,
    switched,
    /** Whether any row may be expanded. */
    any: depth !== 'campaign' || switched.length > 0,
    isOpen: (id: string, kind: string) => order[kind]! < order[depth]! !== switched.includes(id),
    toggle: (id: string) => {
      const next = switched.includes(id) ? switched.filter((other) => other !== id) : [...switched, id];
      change({ open: next.slice(-SWITCHED_MAX).join(',') || undefined });
    },
    setDepth: (next: Depth) => change({ depth: next === 'campaign' ? undefined : next, open: undefined }),
  };
}

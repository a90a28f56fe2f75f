import type { ReactNode } from 'react';

/** A place that the form can find again by its path, to put the cursor there. */
export function Field({ path, children }: { path: string; children: ReactNode }) {
  return <div data-field={path}>{children}</div>;
}

import type { ReactNode } from 'react';

/** Marks a field with its path, so that the form can focus it. */
export function Field({ path, children }: { path: string; children: ReactNode }) {
  return <div data-field={path}>{children}</div>;
}

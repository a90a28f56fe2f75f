import type { ComponentProps } from 'react';
import { Muted } from '../layout/text.tsx';
import { PageHeader } from '../layout/page-header.tsx';

/** What a form does in a drawer, instead of navigating. */
export interface FormInDrawer<Saved> {
  /** Uuid of the app that the entity belongs to, which the form does not ask for then. */
  appUuid?: string | undefined;
  onSaved: (saved: Saved) => void;
  onCancel: () => void;
}

/** Key of the draft of a new entity; in a drawer, of one for the drawer's app. */
export function newDraftKey(kind: string, drawer: { appUuid?: string | undefined } | undefined): string {
  return [kind, 'new', ...(drawer?.appUuid ? [drawer.appUuid] : [])].join('.');
}

interface FormHeaderProps extends ComponentProps<typeof PageHeader> {
  inDrawer: boolean;
}

/** Header of a form on a screen of its own. A drawer has the title already, and gets the description only. */
export function FormHeader({ inDrawer, ...header }: FormHeaderProps) {
  if (!inDrawer) return <PageHeader {...header} />;
  return <Muted mb="md">{header.description}</Muted>;
}

import { createContext, useContext } from 'react';

/** What a form asks for: an entity that is created in a drawer, without leaving the form. */
export interface DrawerRequest {
  kind: 'app' | 'creatives' | 'creative-group' | 'target' | 'tracking-link' | 'top-up';
  /** The app that the entity belongs to; for the kind `app`, the app to edit, or a new one without it. */
  appUuid?: string | undefined;
  /** Files of banners, for the kind `creatives`; they are uploaded at once if nothing is wrong with them. */
  files?: readonly File[];
  /** Called with the uuid of the saved entity; for `creatives`, of the group that contains them. */
  onSaved?: (uuid: string) => void;
  /** Path of the field that gets the focus after saving; by default what had it before. */
  field?: string;
}

/** Opens a drawer. */
export type OpenDrawer = (request: DrawerRequest) => void;

/** Set by the routes whose forms open drawers: the forms in them belong to other features. */
export const DrawerContext = createContext<OpenDrawer>(() => {});

/** The function that opens a drawer next to the current form. */
export const useDrawer = (): OpenDrawer => useContext(DrawerContext);

/** Whether a drawer is open next to the current form. */
export const DrawerOpenContext = createContext(false);

/**
 * Props of a dialog whose form opens drawers: while one is open, the keyboard is its, and Escape closes the drawer and not the
 * dialog beneath it too.
 */
export function useDialogBeneathDrawer(): { closeOnEscape: boolean; trapFocus: boolean } {
  const isOpen = useContext(DrawerOpenContext);
  return { closeOnEscape: !isOpen, trapFocus: !isOpen };
}

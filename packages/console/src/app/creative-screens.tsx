import { AddCreativeScreen } from '../features/creatives/upload/add-creative-screen.tsx';
import { CreativesScreen } from '../features/creatives/creatives-screen.tsx';
import { CreativesTab } from '../features/creatives/creatives-tab.tsx';
import { withDrawers } from './entity-drawers.tsx';

/** /creatives */
export const Creatives = withDrawers(CreativesScreen);
/** /creatives/add-creative */
export const AddCreative = withDrawers(AddCreativeScreen);
/** The creatives in a tab of the assets. */
export const CreativesInTab = withDrawers(CreativesTab);

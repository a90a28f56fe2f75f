import { AdsetCreateScreen, AdsetEditScreen } from '../features/campaigns/adset-form/adset-screens.tsx';
import {
  CampaignCreateScreen,
  CampaignEditScreen,
} from '../features/campaigns/form/campaign-form-screen.tsx';
import { withDrawers } from './entity-drawers.tsx';

/** /campaigns/create */
export const CampaignCreate = withDrawers(CampaignCreateScreen);
/** /campaigns/edit */
export const CampaignEdit = withDrawers(CampaignEditScreen);
/** /adset */
export const AdsetCreate = withDrawers(AdsetCreateScreen);
/** /adset/edit */
export const AdsetEdit = withDrawers(AdsetEditScreen);

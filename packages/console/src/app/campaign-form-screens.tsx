import { AdsetCreateScreen } from '../features/campaigns/adset-form/adset-create-screen.tsx';
import { AdsetEditScreen } from '../features/campaigns/adset-form/adset-edit-screen.tsx';
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

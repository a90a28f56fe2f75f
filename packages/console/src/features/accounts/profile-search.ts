import { z } from 'zod';

const PROFILE_TABS = ['profile', 'sign-in', 'company', 'people', 'api'] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

/** The parameters of /profile. */
export const profileSearch = z.object({ tab: z.enum(PROFILE_TABS).optional().catch(undefined) });

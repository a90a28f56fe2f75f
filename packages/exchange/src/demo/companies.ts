import type { CompanyPlan } from './plan.ts';
import { northlight } from './plan-northlight.ts';
import { kestrel, tidewell } from './plan-others.ts';

/** The companies of the demo. The first one's login is for the visitor. */
export const COMPANIES: readonly CompanyPlan[] = [northlight, tidewell, kestrel];
/** The apps of the first company. */
export const PLAN = northlight.apps;

import { accountExamples, apiTokenExamples } from '../accounts/examples.ts';
import { adsetExamples } from '../adsets/examples.ts';
import { appExamples } from '../apps/examples.ts';
import { audienceExamples } from '../audiences/examples.ts';
import { campaignExamples } from '../campaigns/examples.ts';
import { changeExamples } from '../changes/examples.ts';
import { creativeGroupExamples } from '../creative-groups/examples.ts';
import { creativeExamples } from '../creatives/examples.ts';
import { financeExamples } from '../finance/examples.ts';
import { failureExample } from './failure-example.ts';
import { partnerDeliveryExamples } from '../measurement/examples.ts';
import { notificationExamples } from '../notifications/examples.ts';
import { reportExamples } from '../reports/examples.ts';
import type { Example } from './example.ts';
import { targetExamples } from '../targets/examples.ts';
import { linkExamples } from '../tracking-links/examples.ts';

/** The examples of the schemas of the API, in the order of the document. */
export const examples: readonly Example[] = [
  ...failureExample,
  ...accountExamples,
  ...appExamples,
  ...targetExamples,
  ...linkExamples,
  ...audienceExamples,
  ...creativeExamples,
  ...creativeGroupExamples,
  ...adsetExamples,
  ...campaignExamples,
  ...reportExamples,
  ...apiTokenExamples,
  ...partnerDeliveryExamples,
  ...financeExamples,
  ...notificationExamples,
  ...changeExamples,
];

import { z } from 'zod';
import { ClickUrl, ViewUrl } from './url.ts';
import type { Field } from '../lib/fields.ts';

/** The URLs that devices open at a click and load at a view. */
export const linkFields = {
  click_url: {
    label: 'Click URL',
    input: ClickUrl,
    output: z.string(),
    undo: false,
    example: 'https://app.appsflyer.com/com.example.harbormatch?pid=bidwell_int&clickid={click_id}',
  },
  view_url: {
    label: 'View URL',
    input: ViewUrl,
    output: z.string(),
    undo: false,
    example: 'https://impression.appsflyer.com/com.example.harbormatch?pid=bidwell_int&clickid={click_id}',
  },
} satisfies Record<string, Field>;

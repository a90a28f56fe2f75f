import * as endpoints from '@bidwell/contract/operator/endpoints';
import { profileOf } from '@bidwell/contract/operator/exchange-profiles';
import { PROFILE_SLUGS } from '@bidwell/contract/operator/exchange-rules';
import {
  BillingIdsInput,
  type ExchangeList,
  SecretRotation,
  SspInput,
  SspSlug,
} from '@bidwell/contract/operator/schema';
import { z } from 'zod';
import { OperatorError } from './client.ts';
import { type Command, calling, checked, command } from './command.ts';

/** The settings that are given; the others stay. */
const Changes = z.object(
  Object.fromEntries(
    Object.entries(SspInput.shape).map(([name, field]) => [
      name,
      (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : field).optional(),
    ]),
  ),
);

const saving = (verb: 'add' | 'set', summary: string): Command =>
  command({
    of: 'exchange',
    options: Changes,
    summary,
    async run(client, changes, slug) {
      checked(SspSlug, { slug }, () => 'The id of an exchange');
      const list = await client.call(endpoints.listExchanges);
      const present = list.ssps.find((known) => known.slug === slug);
      if (verb === 'add' && present)
        throw new OperatorError(`The exchange ${slug} already exists: use ssp set.`);
      if (verb === 'set' && !present) throw new OperatorError(`There is no exchange ${slug}: use ssp add.`);
      // As in the console, a profile that is chosen brings its settings to begin with.
      const profile = verb === 'add' ? z.enum(PROFILE_SLUGS).safeParse(changes.profile).data : undefined;
      const begun = profile ? profileOf(profile).settings : {};
      const body = checked(SspInput, { ...(present ?? { name: slug }), ...begun, ...changes });
      const saved = await client.call(endpoints.putExchange, { params: { slug }, body });
      console.log(`Saved. Its bid requests go to ${addressIn(list, saved.path)}`);
      adviseOn(list);
      if (saved.open)
        console.log(
          `It is open: anyone who knows /openrtb/${slug} can fetch bids in its name and have them charged.`,
        );
      for (const { field, setting, documented, text, source } of saved.profile_changes)
        console.log(
          `Its ${field} is ${setting ?? 'none'}; its documentation says ${documented ?? 'none'} now: ${text} (${source}) ` +
            `To follow it: ssp set ${slug} --${field.replaceAll('_', '-')} ${documented ?? 'none'}`,
        );
    },
  });

/** A company and its billing ids, as the command line takes them. */
const CompanyIds = z.object({ company: z.string().optional(), ids: z.string().optional() });

/** Lists, adds and changes exchanges. */
export const sspCommands = {
  'ssp list': calling(endpoints.listExchanges, {}, ({ ssps }) => ssps),
  'ssp add': saving(
    'add',
    'Add an exchange; it sends its bid requests to /openrtb/SLUG/SECRET. With --open true no secret is needed, and anyone can fetch bids',
  ),
  'ssp set': saving('set', 'Change settings of an exchange; "none" clears a number'),
  'ssp rotate': command({
    of: 'exchange',
    options: SecretRotation,
    summary:
      'Make a new secret for an exchange; the old one stays valid for 24 hours, or ends with --end-old true',
    async run(client, body, slug) {
      const list = await client.call(endpoints.listExchanges);
      const saved = await client.call(endpoints.rotateExchangeSecret, { params: { slug }, body });
      const until = saved.previous_secret_until;
      console.log(`Its bid requests go to ${addressIn(list, saved.path)} from now on.`);
      console.log(
        until === null ? 'The old address no longer works.' : `The old address works until ${until}.`,
      );
      adviseOn(list);
    },
  }),
  'ssp billing-ids': command({
    of: 'exchange',
    options: CompanyIds,
    summary:
      'List the billing ids of companies at an exchange; or set the ids of the company with this UUID, separated by commas, or "none"',
    async run(client, { company, ids }, slug) {
      if ((company === undefined) !== (ids === undefined))
        throw new OperatorError('--company and --ids are given together.');
      if (company === undefined || ids === undefined) {
        const { companies } = await client.call(endpoints.listBillingIds, { params: { slug } });
        if (companies.length === 0) console.log('None.');
        else console.table(companies);
        return;
      }
      const body = checked(
        BillingIdsInput,
        { billing_ids: ids === 'none' ? [] : ids.split(',') },
        () => '--ids',
      );
      const params = { slug, company_uuid: company };
      const saved = await client.call(endpoints.putBillingIds, { params, body });
      console.log(
        `${saved.company_name} has ${saved.billing_ids.join(', ') || 'no billing ids'} at ${slug}.`,
      );
    },
  }),
};

/** The whole address of an exchange's bid requests, or its path alone where PUBLIC_URL is not set. */
function addressIn({ public_url: url, public_url_is_set: isSet }: ExchangeList, path: string): string {
  return isSet ? url + path : path;
}

function adviseOn({ public_url_is_set: isSet }: ExchangeList): void {
  if (!isSet)
    console.log(
      'PUBLIC_URL is not set: before this path belongs the address at which exchanges reach this server, such as https://ads.example.com.',
    );
}

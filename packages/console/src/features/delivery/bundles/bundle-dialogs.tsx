import { limits } from '@bidwell/contract/lib/limits';
import { Checkbox, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DateRange } from '../../../lib/format/date-presets.ts';
import { formatDay, formatMoney } from '../../../lib/format/format.ts';
import { optionalMoneyError } from '../../../lib/format/money-error.ts';
import { isSameAmount, readPresent } from '../../../lib/api/present-entities.ts';
import { adsetsOfCampaignQuery } from '../../../entities/campaigns/adset-queries.ts';
import { changeBundle } from '../../../entities/campaign-reports/queries.ts';
import { confirmBids } from '../../../entities/campaigns/confirm-bid.tsx';
import { DialogForm } from '../../../ui/form/dialog-form.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { FormButtons } from '../../../ui/form/form-buttons.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { toastUndo } from '../../../ui/layout/undo-toast.tsx';
import { type BundleRow, nameOf } from './bundle-columns.tsx';
import { type BundleSetting, adsetNames } from './bundle-settings.ts';

interface BundleDialogProps {
  opened: boolean;
  campaignUuid: string;
  row: BundleRow;
  onClose: () => void;
}

/** Asks in which ad sets a publisher's app is blocked, or unblocked where all of them block it. */
export function BlockDialog({ opened, range, ...props }: BundleDialogProps & { range: DateRange }) {
  const isBlocked = props.row.settings.every((one) => one.isBlocked);
  return (
    <Modal
      opened={opened}
      onClose={props.onClose}
      title={`${isBlocked ? 'Unblock' : 'Block'} ${nameOf(props.row)}`}
    >
      {opened && <BlockForm {...props} range={range} isBlocked={isBlocked} />}
    </Modal>
  );
}

/** Asks for the bid of ad sets on a publisher's app. */
export function BidDialog({ opened, ...props }: BundleDialogProps) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={`Set bid on ${nameOf(props.row)}`}>
      {opened && <BidForm {...props} />}
    </Modal>
  );
}

type FormProps = Omit<BundleDialogProps, 'opened'>;

function BlockForm({
  campaignUuid,
  row,
  range,
  isBlocked,
  onClose,
}: FormProps & { range: DateRange; isBlocked: boolean }) {
  const { bundle } = row;
  const open = row.settings.filter((one) => one.isBlocked === isBlocked);
  const [chosen, setChosen] = useState(() => open.map(({ uuid }) => uuid));
  const { save, busy } = useBundleSave(campaignUuid, onClose);
  const spent = row.adsets
    .filter(({ uuid }) => chosen.includes(uuid))
    .reduce((sum, { spends }) => sum + spends, 0);
  const names = adsetNames(open.filter(({ uuid }) => chosen.includes(uuid)).map(({ name }) => name));
  const submit = () =>
    save({
      change: { bundle, adsets: chosen.map((uuid) => ({ uuid, blocked: !isBlocked })) },
      done: `${isBlocked ? 'Unblocked' : 'Blocked'} in ${names}`,
      restored: { bundle, adsets: chosen.map((uuid) => ({ uuid, blocked: isBlocked })) },
    });
  return (
    <DialogForm onSubmit={submit}>
      <Text size="sm">
        {isBlocked
          ? `Removes ${bundle} from the blocklist of these ad sets, which may then bid there again.`
          : `Adds ${bundle} to the blocklist of these ad sets, which then do not bid there. They spent ${formatMoney(spent)} there from ${formatDay(range.start)} to ${formatDay(range.end)}.`}
      </Text>
      <AdsetChoice
        settings={open}
        chosen={chosen}
        onChange={setChosen}
        hintOf={({ uuid }) => {
          const spends = row.adsets.find((one) => one.uuid === uuid)?.spends ?? 0;
          return spends > 0 ? `spent ${formatMoney(spends)} there` : 'no spend there';
        }}
      />
      <FormButtons
        action={isBlocked ? 'Unblock' : 'Block'}
        busy={busy}
        disabled={chosen.length === 0}
        onCancel={onClose}
      />
    </DialogForm>
  );
}

function BidForm({ campaignUuid, row, onClose }: FormProps) {
  const { bundle, settings } = row;
  const present = [...new Set(settings.map(({ bid }) => bid))];
  const [bid, setBid] = useState(present.length === 1 ? present[0]! : null);
  const [chosen, setChosen] = useState(() => settings.map(({ uuid }) => uuid));
  const [error, setError] = useState<string>();
  const { save, busy } = useBundleSave(campaignUuid, onClose);
  const names = adsetNames(settings.filter(({ uuid }) => chosen.includes(uuid)).map(({ name }) => name));
  const submit = async () => {
    const fault = optionalMoneyError(bid, { max: limits.cpmMaxDollars, choice: 'an empty field' });
    setError(fault);
    const edited = settings.filter(({ uuid }) => chosen.includes(uuid));
    const before = { bet_cpm: Math.min(...edited.map((one) => one.bid ?? one.adsetBid)) };
    if (fault || !(await confirmBids([{ of: bundle, bids: { bet_cpm: bid }, before }]))) return;
    save({
      change: { bundle, adsets: chosen.map((uuid) => ({ uuid, bid_cpm: bid })) },
      done:
        bid === null ? `The bid of the ad set applies in ${names}` : `Bid ${formatMoney(bid)} in ${names}`,
      restored: { bundle, adsets: edited.map((one) => ({ uuid: one.uuid, bid_cpm: one.bid })) },
    });
  };
  return (
    <DialogForm onSubmit={() => void submit()}>
      <Text size="sm">
        The highest CPM on {bundle}, in place of the bid of the ad set. Without one, the bid of the ad set
        applies there.
        {row.cpm !== null && ` The campaign paid ${formatMoney(row.cpm)} there on average.`}
      </Text>
      <MoneyInput
        label="CPM there"
        value={bid}
        onChange={setBid}
        placeholder="Bid of the ad set"
        autoFocus
        error={error}
      />
      <AdsetChoice
        settings={settings}
        chosen={chosen}
        onChange={setChosen}
        hintOf={(one) =>
          one.bid === null
            ? `bids ${formatMoney(one.adsetBid)}`
            : `bids ${formatMoney(one.bid)} there, ${formatMoney(one.adsetBid)} elsewhere`
        }
      />
      <FormButtons action="Save bid" busy={busy} disabled={chosen.length === 0} onCancel={onClose} />
    </DialogForm>
  );
}

interface AdsetChoiceProps {
  settings: readonly BundleSetting[];
  chosen: readonly string[];
  onChange: (uuids: string[]) => void;
  hintOf: (setting: BundleSetting) => string;
}

function AdsetChoice({ settings, chosen, onChange, hintOf }: AdsetChoiceProps) {
  return (
    <Checkbox.Group label="Ad sets" value={[...chosen]} onChange={onChange}>
      <Stack gap="xs" mt={6} mah={280} style={{ overflowY: 'auto' }}>
        {settings.map((setting) => (
          <Checkbox
            key={setting.uuid}
            value={setting.uuid}
            label={setting.name}
            description={hintOf(setting)}
          />
        ))}
      </Stack>
      {chosen.length === 0 && <ErrorText>Choose an ad set</ErrorText>}
    </Checkbox.Group>
  );
}

type BundleChange = Parameters<typeof changeBundle>[1];

interface Edit {
  change: BundleChange;
  /** The message once it is saved. */
  done: string;
  /** The change that undoes it. */
  restored: BundleChange;
}

/** Saves a change of a bundle, says so with a way back, and closes the dialog. */
function useBundleSave(campaignUuid: string, onClose: () => void) {
  return useSave({
    send: ({ change }: Edit) => changeBundle(campaignUuid, change),
    onSaved: (_saved, { change, done, restored }) => {
      toastUndo(done, {
        items: [restored],
        readUnchanged: async () => ((await isAsWritten(campaignUuid, change)) ? [restored] : []),
        restore: async () => changeBundle(campaignUuid, restored),
      });
      onClose();
    },
  });
}

/** Whether all ad sets still do on the bundle what a change wrote. */
async function isAsWritten(campaignUuid: string, { bundle, adsets }: BundleChange): Promise<boolean> {
  const present = await readPresent(adsetsOfCampaignQuery(campaignUuid));
  return adsets.every(({ uuid, blocked, bid_cpm: bid }) => {
    const adset = present.get(uuid);
    return (
      adset !== undefined &&
      (blocked === undefined || adset.black_list_bundles.includes(bundle) === blocked) &&
      (bid === undefined || isSameAmount(adset.bundle_bids[bundle], bid))
    );
  });
}

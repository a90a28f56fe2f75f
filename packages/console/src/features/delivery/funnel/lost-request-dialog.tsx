import { type FunnelExit, exitName } from '@bidwell/contract/text/no-bid-reasons';
import { Code, Modal, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { useLoadable } from '../../../lib/loadable.ts';
import { formatMoment } from '../../../lib/format/format.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { lostRequestQuery } from '../../../entities/insight/queries.ts';
import { Muted } from '../../../ui/layout/text.tsx';

interface LostRequestDialogProps {
  campaignUuid: string;
  /** The ad set that loses it; null for any of the campaign. */
  adset: string | null;
  exit: FunnelExit;
  onClose: () => void;
}

/** A bid request of the sample that is lost for a reason, as far as advertisers see it. */
export function LostRequestDialog({ campaignUuid, adset, exit, onClose }: LostRequestDialogProps) {
  const request = useLoadable(lostRequestQuery(campaignUuid, exit, adset));
  return (
    <Modal
      centered={false}
      opened
      onClose={onClose}
      size="lg"
      title={`A request that was lost: ${exitName(exit)}`}
    >
      <FigureFrame figures={request} what="The request" skeleton={<Skeleton height={240} />}>
        {(lost) =>
          lost === null ? (
            <Text size="sm">
              With the present settings, none of the newest sampled requests is lost for this reason.
            </Text>
          ) : (
            <Stack gap="sm">
              <Muted>
                From {lost.exchange}, {formatMoment(lost.received_at)}. Personal data, deals, seats and the
                exchange&apos;s extensions are left out.
              </Muted>
              <ScrollArea.Autosize mah="60vh" viewportProps={{ tabIndex: 0 }}>
                <Code block>{JSON.stringify(lost.request, null, 2)}</Code>
              </ScrollArea.Autosize>
            </Stack>
          )
        }
      </FigureFrame>
    </Modal>
  );
}

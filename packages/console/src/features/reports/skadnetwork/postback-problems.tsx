import type { PostbackReport } from '@bidwell/contract/skadnetwork/report';
import { postbackProblemTexts } from '../../../entities/skadnetwork/postback-text.ts';
import { UncountedList } from '../../../entities/skadnetwork/uncounted-list.tsx';
import { type Loadable, knownData } from '../../../lib/loadable.ts';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Section } from '../../../ui/layout/section.tsx';

/** Rejected and unmatched postbacks, and what they mean; nothing without any. The table above says why there are no figures. */
export function PostbackProblems({ figures }: { figures: Loadable<PostbackReport> }) {
  const problems = knownData(figures)?.problems;
  if (!problems || problems.length === 0) return null;
  return (
    <Section title="Rejected and unmatched postbacks">
      <FigureFrame figures={figures} isSilent>
        <UncountedList
          label="Rejected and unmatched postbacks"
          rows={problems}
          textOf={(reason) => postbackProblemTexts[reason]}
        />
      </FigureFrame>
    </Section>
  );
}

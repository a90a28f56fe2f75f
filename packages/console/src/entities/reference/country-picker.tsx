import type { SubRegion } from '@bidwell/contract/reference/schema';
import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Loadable, knownData } from '../../lib/loadable.ts';
import { FigureFrame, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { CountryChoice } from './country-choice.tsx';
import { SkeletonBar } from '../../ui/chart/skeleton-bar.tsx';
import { ListField } from '../../ui/form/list-field.tsx';

interface CountryPickerProps {
  label: string;
  /** Explains what an empty list means. */
  placeholder: string;
  subRegions: Loadable<readonly SubRegion[]>;
  /** The two-letter codes that the company uses most, which come first; common ones do if these could not be loaded. */
  used: Loadable<readonly string[]>;
  /** Two-letter codes. */
  value: readonly string[];
  onChange: (codes: string[]) => void;
  error?: string | undefined;
}

/** A list of countries with a dialog that selects them by sub-region or one by one. */
export function CountryPicker(props: CountryPickerProps) {
  const { label, placeholder, subRegions, used, value, onChange, error } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const names = new Map(
    knownData(subRegions)?.flatMap(({ countries }) => countries.map(({ code2, name }) => [code2, name])),
  );
  const nameOf = (code: string) => names.get(code) ?? code;
  const labelOf = (code: string) => (names.has(code) ? `${nameOf(code)} (${code})` : code);
  return (
    <ListField
      label={label}
      description={placeholder}
      value={value}
      labelOf={labelOf}
      onChange={onChange}
      action="Choose"
      onOpen={open}
      error={error}
    >
      {value.length > 0 && (
        <FigureFrame
          figures={subRegions}
          what="The names of the countries"
          skeleton={<SkeletonBar width={120} />}
        >
          {() => null}
        </FigureFrame>
      )}
      <Modal centered={false} opened={opened} onClose={close} title={label} size="xl">
        {opened && (
          <FigureFrame figures={subRegions} what="The countries" skeleton={<ListSkeleton rows={6} />}>
            {(known) => (
              <CountryChoice
                subRegions={known}
                used={used}
                value={value}
                nameOf={nameOf}
                onCancel={close}
                onApply={(codes) => {
                  onChange(codes);
                  close();
                }}
              />
            )}
          </FigureFrame>
        )}
      </Modal>
    </ListField>
  );
}

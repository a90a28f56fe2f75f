import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { EditScreen } from '../../../ui/layout/edit-screen.tsx';
import { LoadErrorScreen } from '../../../ui/layout/error-screens.tsx';
import { AdsetForm } from './adset-form.tsx';

/** /adset/edit?uuid=, with a field to begin with and a number to fill in. */
export function AdsetEditScreen() {
  const { uuid, field, value } = useSearch({ strict: false }) as {
    uuid?: string;
    field?: string;
    value?: number;
  };
  const { data, error } = useQuery({ ...adsetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <LoadErrorScreen error={null} />;
  return (
    <EditScreen entity={data} error={error}>
      {(adset) => <AdsetForm key={adset.uuid} adset={adset} field={field} value={value} />}
    </EditScreen>
  );
}

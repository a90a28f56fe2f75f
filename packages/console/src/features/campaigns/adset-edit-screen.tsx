import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { adsetQuery } from '../../lib/queries/adsets.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { AdsetForm } from './adset-form.tsx';

/** /adset/edit?uuid= */
export function AdsetEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: adset, error } = useQuery({ ...adsetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid || (error && !adset)) return <LoadErrorScreen error={error} />;
  return adset ? <AdsetForm key={adset.uuid} adset={adset} /> : <PageLoader />;
}

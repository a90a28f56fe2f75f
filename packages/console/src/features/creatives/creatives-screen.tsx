import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CreativesTab } from './creatives-tab.tsx';

/** /creatives */
export function CreativesScreen() {
  return (
    <>
      <PageHeader title="Creatives" />
      <CreativesTab />
    </>
  );
}

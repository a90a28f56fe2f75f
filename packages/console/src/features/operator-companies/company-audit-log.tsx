import { ActsList } from '../../entities/operator-accounts/audit-log.tsx';
import { Section } from '../../ui/layout/section.tsx';

/** What operators did to a company, a page of it. */
export function CompanyActs({ uuid }: { uuid: string }) {
  return (
    <Section title="Log of operators" flush>
      <ActsList
        companyUuid={uuid}
        pageParameter="acts"
        empty="No operator did anything to this company yet"
      />
    </Section>
  );
}

import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import type { NewOperator, OperatorChanges } from '@bidwell/contract/operator-accounts/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperator } from '../../lib/api/operator-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';

export const AUDIT_ENTRIES_PER_PAGE = 25;

/** All operators. */
export const operatorsQuery = queryOptions({
  queryKey: ['operator', 'accounts'],
  queryFn: async () => (await callOperator(endpoints.listOperators)).operators,
});

/** A page of the audit log of operators, of all or on one company. */
export const auditLogQuery = (page: number, companyUuid?: string) =>
  queryOptions({
    queryKey: ['operator', 'audit', companyUuid ?? '', page],
    queryFn: () =>
      callOperator(endpoints.listAuditEntries, {
        query: { page, limit: AUDIT_ENTRIES_PER_PAGE, ...(companyUuid && { company_uuid: companyUuid }) },
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

const renewed = async <Result>(result: Promise<Result>): Promise<Result> => {
  const done = await result;
  await queryClient.invalidateQueries({ queryKey: ['operator', 'accounts'] });
  return done;
};

export const addOperator = (body: NewOperator) => renewed(callOperator(endpoints.addOperator, { body }));

export const changeOperator = (uuid: string, body: OperatorChanges) =>
  renewed(callOperator(endpoints.changeOperator, { params: { uuid }, body }));

import * as endpoints from '@bidwell/contract/operator-accounts/endpoints';
import {
  type NewOperator,
  type OperatorAccount,
  type OperatorChanges,
  operatorAccountVersion,
} from '@bidwell/contract/operator-accounts/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
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
  try {
    return await result;
  } finally {
    await queryClient.invalidateQueries({ queryKey: ['operator', 'accounts'] });
  }
};

export const addOperator = (body: NewOperator) => renewed(callOperator(endpoints.addOperator, { body }));

/** Changes an operator who is still as shown. Throws ApiError. */
export const changeOperator = (shown: OperatorAccount, body: OperatorChanges) =>
  renewed(
    changeAsOperator(endpoints.changeOperator, versionOf(operatorAccountVersion, shown), {
      params: { uuid: shown.uuid },
      body,
    }),
  );

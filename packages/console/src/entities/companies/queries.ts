import * as endpoints from '@bidwell/contract/operator/endpoints';
import {
  type CompanyQuery,
  type CompanyTerms,
  type MoneyMove,
  type OperatorCompany,
  operatorCompanyVersion,
} from '@bidwell/contract/operator/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { changeAsShown } from '../../lib/api/change-as-shown.ts';
import { queryClient, readAgain, staleTimes } from '../../lib/api/query-client.ts';

export const COMPANY_TRANSACTIONS_PER_PAGE = 10;

/** A page of the companies that match, and the number of all that match. */
export const companiesQuery = (query: Partial<CompanyQuery>) =>
  queryOptions({
    queryKey: ['operator', 'companies', query],
    queryFn: () => callOperator(endpoints.listCompanies, { query }),
    placeholderData: keepPreviousData,
    staleTime: staleTimes.never,
  });

/** One company. */
export const companyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['operator', 'company', uuid],
    queryFn: () => callOperator(endpoints.readCompany, { params: { uuid } }),
    staleTime: staleTimes.never,
  });

/** A page of a company's transactions, newest first, in which the media spend of a day is one. */
export const companyTransactionsQuery = (uuid: string, page: number) =>
  queryOptions({
    queryKey: ['operator', 'company', uuid, 'transactions', page],
    queryFn: () =>
      callOperator(endpoints.listCompanyTransactions, {
        params: { uuid },
        query: { page, limit: COMPANY_TRANSACTIONS_PER_PAGE, fold: 'day' },
      }),
    placeholderData: keepPreviousData,
    staleTime: staleTimes.never,
  });

/** The statement of a company for a month, YYYY-MM. */
export const statementQuery = (uuid: string, month: string) =>
  queryOptions({
    queryKey: ['operator', 'company', uuid, 'statement', month],
    queryFn: () => callOperator(endpoints.readStatement, { params: { uuid }, query: { month } }),
    staleTime: staleTimes.never,
  });

const renewed = async <Result>(result: Promise<Result>): Promise<Result> => {
  const done = await result;
  await Promise.all(
    ['companies', 'company', 'audit', 'top-ups', 'revenue'].map((part) =>
      queryClient.invalidateQueries({ queryKey: ['operator', part] }),
    ),
  );
  return done;
};

/** Credits or debits a company. */
export const moveMoney = (kind: 'credit' | 'debit', uuid: string, body: MoneyMove) =>
  renewed(
    callOperator(kind === 'credit' ? endpoints.creditCompany : endpoints.debitCompany, {
      params: { uuid },
      body,
    }),
  );

export const changeCompany = (uuid: string, body: CompanyTerms, version: string | undefined) =>
  renewed(changeAsOperator(endpoints.changeCompany, version, { params: { uuid }, body }));

/** Prepares a read-only session in a company's console; resolves to the address that opens it. */
export const viewCompany = (uuid: string) =>
  renewed(callOperator(endpoints.viewCompany, { params: { uuid } }));

/** Suspends or resumes a company, unless another operator has done so since it was shown. */
export const suspendCompany = (
  { uuid, suspended: shown }: OperatorCompany,
  body: { suspended: boolean; reason: string },
) =>
  renewed(
    changeAsShown({
      read: async () => readAgain(companyQuery(uuid)),
      version: operatorCompanyVersion,
      isAsShown: ({ suspended }) => suspended === shown,
      send: async (version) =>
        changeAsOperator(endpoints.suspendCompany, version, { params: { uuid }, body }),
    }),
  );

/** Gives a person a one-time password, which the response contains. */
export const resetSecondFactor = (uuid: string, user_uuid: string) =>
  renewed(callOperator(endpoints.resetSecondFactor, { params: { uuid, user_uuid } }));
export const resetPassword = (uuid: string, user_uuid: string) =>
  renewed(callOperator(endpoints.resetPassword, { params: { uuid, user_uuid } }));

/** Confirms or declines a top-up. */
export const decideTopUp = (uuid: string, status: 'success' | 'declined') =>
  renewed(callOperator(endpoints.decideTopUp, { params: { uuid }, body: { status } }));

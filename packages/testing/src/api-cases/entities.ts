import { appBody, linkBody, make, makeAdsetParts, targetBody } from '../advertising.ts';
import { makeRunningCampaign, uploadBanner } from '../bidding.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import type { Body } from './case.ts';

/** Functions that create one entity each and return its id. */
export function entitiesOf(app: TestApp) {
  const anApp = (company: TestCompany) => make(company, '/app', appBody());
  const aTarget = async (company: TestCompany) => make(company, '/target', targetBody(await anApp(company)));
  const aLink = async (company: TestCompany) =>
    make(company, '/tracking_link', linkBody(await anApp(company)));
  const aCreative = async (company: TestCompany) => uploadBanner(company, await anApp(company));
  const anAsset = async (company: TestCompany) => {
    const creative = await aCreative(company);
    const { data } = await company.call('GET', '/internal_creative');
    return (data.internal_creatives as { uuid: string; internal_creative: { uuid: string } }[]).find(
      ({ uuid }) => uuid === creative,
    )!.internal_creative.uuid;
  };
  const aFile = async (company: TestCompany) => {
    await aCreative(company);
    const { data } = await company.call('GET', '/internal_creative');
    const { url } = data.internal_creatives[0].internal_creative.banner as { url: string };
    return url.replace('/api/internal', '');
  };
  const aGroup = async (company: TestCompany) =>
    make(company, '/creative_group', { name: 'Group', banner_creatives: [await aCreative(company)] });
  const anAudience = async (company: TestCompany) => make(company, '/audience', { name: 'Payers' });
  const anAdset = async (company: TestCompany) =>
    make(company, '/adset', (await makeAdsetParts(app, company)).body);
  const aCampaign = async (company: TestCompany) =>
    make(company, '/campaign', { name: 'Campaign', app_uuid: await anApp(company) });
  const aTopUp = (company: TestCompany) => make(company, '/finance/top_up', { amount: 50 });
  const aReadyCampaign = async (company: TestCompany) => {
    const { campaignUuid } = await makeRunningCampaign(app, company);
    await company.call('POST', `/campaign/${campaignUuid}/pause`);
    return campaignUuid;
  };
  const group = async (company: TestCompany): Promise<Body> => ({
    name: 'Group',
    banner_creatives: [await aCreative(company)],
  });
  return {
    anApp,
    aTarget,
    aLink,
    aCreative,
    anAsset,
    aFile,
    aGroup,
    anAdset,
    anAudience,
    aCampaign,
    aTopUp,
    aReadyCampaign,
    group,
  };
}

import { domainTarget } from '../../core/domains/required-records.ts';
import {
  type Diagnosis,
  type DoctorDeps,
  type Finding,
  ok,
  problem,
  unknown,
  warning,
} from './diagnosis.ts';
import type { NameRecords } from './name-records.ts';

const dns: Diagnosis = {
  name: 'dns',
  actions: [
    'cloudfront:ListDistributions',
    'cloudfront:GetDistributionTenantByDomain',
    'cloudfront:GetConnectionGroup',
  ],
  async run({ edge, names, settings }: DoctorDeps) {
    const { appDomain, sitesDomain } = settings;
    const app = await edge.ofAlias(appDomain);
    const sites = await edge.ofTenantDomain(`*.${sitesDomain}`);
    return [
      await judgeName(names, { record: appDomain, name: appDomain, target: app }),
      await judgeName(names, {
        record: `*.${sitesDomain}`,
        // Any name below the domain has the wildcard's records.
        name: `slipway-doctor.${sitesDomain}`,
        target: sites,
      }),
      ...(await judgeBareDomain(names, sitesDomain, sites)),
      // Records of custom domains point to it. A record of its own would hide the wildcard.
      await judgeName(names, {
        record: domainTarget(sitesDomain),
        name: domainTarget(sitesDomain),
        target: sites,
      }),
    ];
  },
};

/** The bare domain leads people to the app. A provider without ALIAS records cannot have it. */
async function judgeBareDomain(
  names: NameRecords,
  name: string,
  target: string | undefined,
): Promise<Finding[]> {
  if (target === undefined) return [];
  if ((await names.addresses(name)).length > 0)
    return [await judgeName(names, { record: name, name, target })];
  return [
    warning(
      `${name} has no DNS record.`,
      `Where your DNS has ALIAS records, lead it to ${target}: people who shorten an address get to the front page.`,
    ),
  ];
}

interface WantedRecord {
  /** The name as it is written into a zone. */
  record: string;
  name: string;
  /** Where CloudFront serves it; undefined before the deployment. */
  target: string | undefined;
}

async function judgeName(names: NameRecords, wanted: WantedRecord): Promise<Finding> {
  const { record, name, target } = wanted;
  if (target === undefined) {
    const fact = `CloudFront does not serve ${record}.`;
    return warning(fact, 'Deploy with a certificate for it, then run this again.');
  }
  const cname = await names.cname(name);
  if (cname === target.toLowerCase()) return ok(`${record} leads to ${target}.`);
  const advice = `Add a DNS record: ${record} CNAME ${target} (or an alias record).`;
  if (cname !== undefined) return problem(`${record} leads to ${cname}, not to ${target}.`, advice);
  const [own, expected] = await Promise.all([names.addresses(name), names.addresses(target)]);
  if (own.length === 0) return problem(`${record} has no DNS record.`, advice);
  if (own.some((address) => expected.includes(address))) return ok(`${record} leads to ${target}.`);
  // CloudFront answers with other addresses from time to time and from place to place.
  return unknown(
    `${record} has the addresses ${own.join(', ')}; ${target} now has others.`,
    `If it is an alias record of ${target}, this is no fault; else: ${advice}`,
  );
}

/** Where the names of the stage lead. */
export const nameDiagnoses: readonly Diagnosis[] = [dns];

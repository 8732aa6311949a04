import { type Diagnosis, type Finding, ok, problem, warning } from './diagnosis.ts';

/** AWS's SDK asks for it from its versions of January 2027 on. */
const deployingNode = 22;

const node: Diagnosis = {
  name: 'node',
  actions: [],
  async run({ nodeVersion }) {
    if (Number(nodeVersion.split('.')[0]) >= deployingNode)
      return [ok(`This is Node ${nodeVersion}.`)];
    return [
      problem(
        `This is Node ${nodeVersion}. AWS's libraries ask for ${deployingNode} or newer.`,
        `Deploy with Node ${deployingNode} or newer. On a laptop, 20.19 still runs everything.`,
      ),
    ];
  },
};

/** A stage makes fewer of each kind of policy (test/infra/domains.test.ts). */
export const policiesOfStage = 6;
const noticeShare = 0.8;

const quotas: Diagnosis = {
  name: 'quotas',
  actions: [
    'acm:ListCertificates',
    'cloudformation:DescribeStacks',
    'cloudfront:ListCachePolicies',
    'cloudfront:ListDistributionTenants',
    'cloudfront:ListResponseHeadersPolicies',
    'servicequotas:ListServiceQuotas',
  ],
  async run({ sharedQuotas, isDeployed }) {
    const isThere = await isDeployed();
    return (await sharedQuotas()).map(({ name, used, quota }): Finding => {
      const fact = `The account has ${used} of ${quota} ${name}, which all its stages share.`;
      const needed = isThere ? 0 : policiesOfStage;
      const advice = `Remove what is not used, or ask AWS for more (console "Service Quotas", us-east-1; the Support Center where that offers none).`;
      if (used + needed > quota) return problem(fact, advice);
      return used > quota * noticeShare ? warning(fact, advice) : ok(fact);
    });
  },
};

const aliases: Diagnosis = {
  name: 'aliases',
  actions: ['cloudfront:ListConflictingAliases', 'cloudfront:ListDistributions'],
  async run({ edge, names, settings: { appDomain, sitesDomain } }) {
    const findings: Finding[] = [];
    const wanted = [
      [appDomain, await edge.ofAlias(appDomain)],
      [`*.${sitesDomain}`, await edge.ofTenantDomain(`*.${sitesDomain}`)],
    ] as const;
    for (const [alias, own] of wanted) {
      if (own !== undefined) continue;
      const [holder] = (await edge.holdersOf(alias)) ?? [];
      if (holder !== undefined) {
        findings.push(
          problem(
            `${alias} belongs to another distribution of CloudFront: ${holder.distribution} of the account ${holder.account}.`,
            'Its owner has to remove the name there, or AWS Support moves it. Until then a deployment fails with CNAMEAlreadyExists.',
          ),
        );
        continue;
      }
      const target = await names.cname(alias.replace('*', 'slipway-doctor'));
      if (target?.endsWith('.cloudfront.net') !== true) continue;
      findings.push(
        warning(
          `${alias} leads to ${target}, a distribution that is not this stage's.`,
          'If it still has the name, a deployment fails with CNAMEAlreadyExists: remove the name there first.',
        ),
      );
    }
    return findings.length > 0
      ? findings
      : [ok('No other distribution is known to have a name of this stage.')];
  },
};

/** The machine that deploys, what stages of an account share, and names that somebody else has. */
export const quotaDiagnoses: readonly Diagnosis[] = [node, quotas, aliases];

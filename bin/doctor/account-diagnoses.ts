import { type Diagnosis, type Finding, ok, problem, unknown, warning } from './diagnosis.ts';

/** The CDK refuses to deploy with an older one (`minBootstrapStackVersion` of its templates). */
const oldestBootstrap = 6;

const bootstrap: Diagnosis = {
  name: 'bootstrap',
  actions: ['ssm:GetParameter'],
  async run({ account }) {
    const version = await account.bootstrapVersion();
    const command = "npx cdk bootstrap --app '' aws://ACCOUNT/us-east-1";
    if (version === undefined) {
      return [problem('The CDK has not prepared us-east-1 of this account.', `Run ${command}.`)];
    }
    if (!(version >= oldestBootstrap)) {
      const fact = `The bootstrap stack has version ${version}; ${oldestBootstrap} is needed.`;
      return [problem(fact, `Run ${command} again.`)];
    }
    return [ok(`The bootstrap stack has version ${version}.`)];
  },
};

const cloudFront: Diagnosis = {
  name: 'cloudfront',
  actions: ['cloudfront:ListDistributions'],
  async run({ edge }) {
    if (await edge.hasDistribution())
      return [ok('The account may create distributions: it has one.')];
    return [
      unknown(
        'The account has no distribution. AWS must verify a new account before its first one, and no call tells whether it has.',
        'Deploy. If it fails with "Your account must be verified before you can add new CloudFront resources", open a case of the type "Account and billing" in the AWS Support Center, quote the message, and deploy again when AWS has answered.',
      ),
    ];
  },
};

/** Lambda's quota of a new account. */
const newAccountQuota = 10;
/** Lambda's default quota of other accounts is 1,000. Below this, a busy minute throttles. */
const roomyQuota = 100;

const concurrency: Diagnosis = {
  name: 'concurrency',
  actions: ['lambda:GetAccountSettings'],
  async run({ account, settings: { streamsConcurrency } }) {
    const { quota, unreserved } = await account.concurrency();
    const fact = `At most ${quota} function calls run at the same time, ${unreserved} of them without a reservation.`;
    const advice =
      'Request a higher quota "Concurrent executions" (L-B99A9384) of AWS Lambda in us-east-1, in the console "Service Quotas". 1,000 is usual; until then visitors may get a page with 503.';
    if (quota <= newAccountQuota) return [problem(fact, advice)];
    if (quota < roomyQuota) return [warning(fact, advice)];
    if (streamsConcurrency !== undefined || unreserved < roomyQuota * 2) return [ok(fact)];
    return [
      ok(fact),
      warning(
        'Downloads of ZIPs and large files may take all of them, each for up to five minutes; then nothing else is answered.',
        `Set streamsConcurrency to a part of them, such as ${Math.floor((unreserved - roomyQuota) / 4)}, and deploy.`,
      ),
    ];
  },
};

/** The account, before anything is deployed. */
export const accountDiagnoses: readonly Diagnosis[] = [bootstrap, cloudFront, concurrency];

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

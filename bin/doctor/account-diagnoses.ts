import { type Diagnosis, ok, problem, unknown, warning } from './diagnosis.ts';

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

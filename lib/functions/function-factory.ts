import type { Construct } from 'constructs';
import type { DataStack } from '../data/data-stack.ts';
import { grantSecret } from '../data/secrets.ts';
import { SlipwayFunction, type SlipwayFunctionProps } from './function.ts';
import type { FunctionName } from './function-names.ts';
import type { Mail } from '../workers/mail.ts';
import { appOrigin, isLocal, type Settings } from '../settings.ts';
import type { HitQueue, UploadQueue } from '../workers/queues.ts';
import { grantTenants } from '../sites/customer-tenants.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';

export interface FunctionFactoryProps {
  stage: string;
  settings: Settings;
  bundlesDir: string;
  data: DataStack;
}

/** Creates functions. Each grant gives a permission together with the variables that using it needs. */
export class FunctionFactory {
  readonly props: FunctionFactoryProps;
  private readonly scope: Construct;

  constructor(scope: Construct, props: FunctionFactoryProps) {
    this.scope = scope;
    this.props = props;
  }

  createFunction(
    id: string,
    name: FunctionName,
    size: Pick<
      SlipwayFunctionProps,
      'timeoutSeconds' | 'memoryMb' | 'runsOften' | 'reservedConcurrency'
    >,
  ): SlipwayFunction {
    const { settings, bundlesDir } = this.props;
    return new SlipwayFunction(this.scope, id, {
      name,
      bundlesDir,
      logRetentionDays: settings.logRetentionDays,
      ...size,
    });
  }

  /** A function behind the REST API, which accepts requests from CloudFront only. */
  createApiFunction(
    name: FunctionName,
    size: Pick<SlipwayFunctionProps, 'timeoutSeconds' | 'memoryMb'>,
  ): SlipwayFunction {
    const id = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const fn = this.createFunction(id, name, size);
    this.setDeploymentVariables(fn);
    grantSecret(fn, this.props.data.secrets, 'origin');
    return fn;
  }

  /** The addresses and the brand of this installation. */
  setDeploymentVariables(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('BASE_URL', appOrigin(settings));
    fn.setVariable('SITES_DOMAIN', settings.sitesDomain);
    fn.setVariable('BRAND', settings.brand);
  }

  /** How the keys of this installation begin: to check one, and to find one in an upload. */
  setKeyPrefix(fn: SlipwayFunction): void {
    fn.setVariable('KEY_PREFIX', this.props.settings.keyPrefix);
  }

  /** Authentication by API key: reads the key and its account, records its use, counts against the plan. */
  grantApiKeyCheck(fn: SlipwayFunction): void {
    this.setPlans(fn);
    this.grantIdempotency(fn);
    this.setKeyPrefix(fn);
    this.props.data.tables.grantAccounts(fn, ['GetItem', 'UpdateItem']);
  }

  /** Authentication by OAuth access token. Also records when a connected app was last used. */
  grantAccessTokenCheck(fn: SlipwayFunction): void {
    this.setKeyPrefix(fn);
    this.props.data.tables.grantAccounts(fn, ['GetItem']);
    this.props.data.tables.grantOauth(fn, ['GetItem', 'UpdateItem']);
  }

  /** Rate limits and idempotency keys, which share a table. */
  grantIdempotency(fn: SlipwayFunction): void {
    const { tables } = this.props.data;
    tables.grantCounters(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  }

  /** Sign-in with a mailed code, except its rate limits. */
  grantSignIn(fn: SlipwayFunction, mail: Mail | undefined): void {
    const { settings, data } = this.props;
    this.setPlans(fn);
    fn.setVariable('DEFAULT_PLAN', settings.defaultPlan);
    fn.setVariable('TRIAL_DAYS', String(settings.trialDays));
    this.setSignUp(fn);
    fn.setVariable('SIGN_IN_MAILS_PER_HOUR', String(settings.signInMailsPerHour));
    grantSecret(fn, data.secrets, 'code');
    data.tables.grantAccounts(fn, ['GetItem', 'PutItem', 'UpdateItem']);
    data.tables.grantCodes(fn, ['GetItem', 'PutItem', 'DeleteItem']);
    this.grantMail(fn, mail);
  }

  /** Who may have a new account. */
  setSignUp(fn: SlipwayFunction): void {
    const { signUpPolicy, allowedEmailDomains } = this.props.settings;
    fn.setVariable('SIGN_UP_POLICY', signUpPolicy);
    fn.setVariable('ALLOWED_EMAIL_DOMAINS', JSON.stringify(allowedEmailDomains));
  }

  /** Answering visitors: rows of projects, their files, the access that visitors have, and counting their visits. */
  grantVisits(fn: SlipwayFunction, hits: HitQueue): void {
    const { tables, content } = this.props.data;
    this.setDeploymentVariables(fn);
    this.grantAccessSecret(fn);
    tables.grantSites(fn, ['GetItem']);
    // A preview reads the row of the version that it shows.
    tables.grantProjects(fn, ['GetItem']);
    content.grantObjects(fn, ['GetObject']);
    // Without this permission S3 answers 403 instead of 404 for a deleted file.
    content.grantListing(fn);
    hits.grantSending(fn);
  }

  /** Sending mail. Without a sender in the settings no mail is sent. */
  grantMail(fn: SlipwayFunction, mail: Mail | undefined): void {
    fn.setVariable('MAIL_FROM', this.props.settings.mailFrom ?? '');
    if (mail === undefined) fn.setVariable('MAIL_CONFIGURATION_SET', '');
    else mail.grantSending(fn);
  }

  /** The secret that signs visitors' access cookies, owner links, previews and form tokens. */
  grantAccessSecret(fn: SlipwayFunction): void {
    grantSecret(fn, this.props.data.secrets, 'access');
  }

  setPlans(fn: SlipwayFunction): void {
    fn.setVariable('PLANS', JSON.stringify(this.props.settings.plans));
    fn.setVariable('UPGRADE_URL', this.props.settings.upgradeUrl ?? '');
  }

  /** Which accounts are operators. */
  setOperators(fn: SlipwayFunction): void {
    fn.setVariable('OPERATORS', JSON.stringify(this.props.settings.operators));
  }

  /** Whom to tell of a weakness, for `/.well-known/security.txt`. */
  setSecurityContact(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('SECURITY_CONTACT', settings.securityContact ?? '');
    fn.setVariable('SECURITY_POLICY', settings.policies.security ?? '');
  }

  /** The operator's own pages. */
  setPolicies(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('PRIVACY_POLICY', settings.policies.privacy ?? '');
    fn.setVariable('TERMS_OF_SERVICE', settings.policies.terms ?? '');
  }

  /** Limits of uploads without an account; the front page shows them. */
  setTempUploadLimits(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('TEMP_UPLOADS_PER_MINUTE', String(settings.tempUploads.perMinute));
    fn.setVariable('TEMP_UPLOADS_PER_HOUR', String(settings.tempUploads.perHour));
  }

  /**
   * Checking custom domains: rows, certificates, tenants, and DNS. It changes projects too, because they leave a
   * domain that is removed.
   */
  grantDomains(
    fn: SlipwayFunction,
    visitors: VisitorDistribution,
    { uploads, mail }: { uploads: UploadQueue; mail: Mail | undefined },
  ): void {
    this.grantProjectChanges(fn, visitors, uploads);
    this.grantMail(fn, mail);
    // The mails of an account are counted.
    this.props.data.tables.grantCounters(fn, ['GetItem', 'UpdateItem']);
    grantTenants(fn, visitors, this.props.stage);
    fn.setVariable('DNS_RESOLVERS', '1.1.1.1,8.8.8.8');
    fn.setVariable('CERTIFICATES_PER_YEAR', String(this.props.settings.certificatesPerYear));
    // People cannot own a name under `localhost`; on their own computer they try domains with it.
    const suffix = isLocal(this.props.settings) ? 'localhost' : '';
    fn.setVariable('TESTABLE_DOMAIN_SUFFIX', suffix);
  }

  /** Publishing, changing and deleting projects: rows, addresses, files, the owner's totals and the edge cache. */
  grantProjectChanges(
    fn: SlipwayFunction,
    visitors: VisitorDistribution,
    uploads: UploadQueue,
  ): void {
    const { tables, content } = this.props.data;
    this.setDeploymentVariables(fn);
    this.setPlans(fn);
    fn.setVariable('DELETED_KEPT_DAYS', String(this.props.settings.deletedKeptDays));
    // Uploads are searched for keys, also of this service.
    this.setKeyPrefix(fn);
    // `access: people` and `identify` mail codes, so they are refused where no mail is sent.
    fn.setVariable('SENDS_MAIL', this.props.settings.mailFrom ? 'true' : '');
    tables.grantAccounts(fn, ['GetItem', 'UpdateItem']);
    // Every transaction checks that the account is not suspended.
    tables.grantAccounts(fn, ['ConditionCheckItem']);
    tables.grantSites(fn, ['GetItem', 'PutItem', 'DeleteItem']);
    tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    // A new version may remove the account's oldest earlier versions.
    tables.grantOwnerQuery(fn);
    content.grantObjects(fn, ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload']);
    content.grantUsingUploads(fn);
    // Statistics are deleted with their project.
    tables.grantAnalytics(fn, ['Query', 'BatchWriteItem']);
    uploads.grantSending(fn);
    visitors.grantInvalidation(fn);
  }
}

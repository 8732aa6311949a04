import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { DataStack } from '../data/data-stack.ts';
import { SlipwayFunction } from './function.ts';
import type { FunctionName } from './function-names.ts';
import type { Mail } from '../workers/mail.ts';
import { appOrigin, type Settings } from '../settings.ts';
import type { UploadQueue } from '../workers/upload-queue.ts';
import type { VisitorDistribution } from '../sites/visitor-distribution.ts';

export interface FunctionKitProps {
  settings: Settings;
  bundlesDir: string;
  data: DataStack;
}

/** Makes functions, and gives them what several of them need: permission and variable together. */
export class FunctionKit {
  readonly props: FunctionKitProps;
  private readonly scope: Construct;

  constructor(scope: Construct, props: FunctionKitProps) {
    this.scope = scope;
    this.props = props;
  }

  fn(
    id: string,
    name: FunctionName,
    size: { timeoutSeconds: number; memoryMb: number },
  ): SlipwayFunction {
    const { settings, bundlesDir } = this.props;
    return new SlipwayFunction(this.scope, id, {
      name,
      bundlesDir,
      logRetentionDays: settings.logRetentionDays,
      ...size,
    });
  }

  /** What every function behind the REST API knows. */
  serveRequests(fn: SlipwayFunction): void {
    this.nameDeployment(fn);
    this.readSecret(fn, 'ORIGIN_SECRET_ARN', this.props.data.originSecret);
  }

  /** Where this deployment is found and what it is called. */
  nameDeployment(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('BASE_URL', appOrigin(settings));
    fn.setVariable('SITES_DOMAIN', settings.sitesDomain);
    fn.setVariable('BRAND', settings.brand);
  }

  /** What telling who calls needs: the key's row, its account, noting its use, the plan's limit. */
  recogniseKeys(fn: SlipwayFunction): void {
    this.tellPlans(fn);
    this.repeatAnswers(fn);
    fn.setVariable('KEY_PREFIX', this.props.settings.keyPrefix);
    this.props.data.tables.grantAccounts(fn, ['GetItem', 'UpdateItem']);
  }

  /** What telling whose access token it is needs, and noting that a connected app was used. */
  recogniseTokens(fn: SlipwayFunction): void {
    fn.setVariable('KEY_PREFIX', this.props.settings.keyPrefix);
    this.props.data.tables.grantAccounts(fn, ['GetItem']);
    this.props.data.tables.grantOauth(fn, ['GetItem', 'UpdateItem']);
  }

  /** What counting and answering a repeated write alike need. */
  repeatAnswers(fn: SlipwayFunction): void {
    const { tables } = this.props.data;
    tables.grantCounters(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);
  }

  /** What signing a person in by a mailed code needs, beside counting. */
  signIn(fn: SlipwayFunction, mail: Mail | undefined): void {
    const { settings, data } = this.props;
    this.tellPlans(fn);
    fn.setVariable('TRIAL_DAYS', String(settings.trialDays));
    fn.setVariable('SIGN_UP_POLICY', settings.signUpPolicy);
    this.readSecret(fn, 'CODE_SECRET_ARN', data.codeSecret);
    data.tables.grantAccounts(fn, ['GetItem', 'PutItem', 'UpdateItem']);
    data.tables.grantCodes(fn, ['GetItem', 'PutItem', 'DeleteItem']);
    this.sendMail(fn, mail);
  }

  /** Sending mail; without a sender nothing is sent. */
  sendMail(fn: SlipwayFunction, mail: Mail | undefined): void {
    fn.setVariable('MAIL_FROM', this.props.settings.mailFrom ?? '');
    mail?.grantSending(fn);
  }

  /** Making and checking what lets a visitor see more than everybody. */
  signAccess(fn: SlipwayFunction): void {
    this.readSecret(fn, 'ACCESS_SECRET_ARN', this.props.data.accessSecret);
  }

  /**
   * The function is told where the secret is, never its value: whoever may read a function's
   * configuration would see that, and it would stay when the secret is replaced.
   */
  private readSecret(
    fn: SlipwayFunction,
    variable: 'ORIGIN_SECRET_ARN' | 'CODE_SECRET_ARN' | 'ACCESS_SECRET_ARN',
    { secretArn }: secretsmanager.Secret,
  ): void {
    fn.setVariable(variable, secretArn);
    fn.allow(['secretsmanager:GetSecretValue'], [secretArn]);
  }

  tellPlans(fn: SlipwayFunction): void {
    fn.setVariable('PLANS', JSON.stringify(this.props.settings.plans));
  }

  /** Uploads without an account: enforced by one function, told by the front page. */
  limitTempUploads(fn: SlipwayFunction): void {
    const { settings } = this.props;
    fn.setVariable('TEMP_UPLOADS_PER_MINUTE', String(settings.tempUploadsPerMinute));
    fn.setVariable('TEMP_UPLOADS_PER_HOUR', String(settings.tempUploadsPerHour));
  }

  /** What changing projects needs: their rows, addresses, bytes, their owner's sums and the edge. */
  changeProjects(fn: SlipwayFunction, visitors: VisitorDistribution, uploads: UploadQueue): void {
    const { tables, content } = this.props.data;
    this.nameDeployment(fn);
    this.tellPlans(fn);
    fn.setVariable('DELETED_KEPT_DAYS', String(this.props.settings.deletedKeptDays));
    tables.grantAccounts(fn, ['GetItem', 'UpdateItem']);
    // Nothing changes in the name of an account that is suspended.
    tables.grantAccounts(fn, ['ConditionCheckItem']);
    tables.grantSites(fn, ['GetItem', 'PutItem', 'DeleteItem']);
    tables.grantProjects(fn, ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
    // The oldest earlier versions of all the account's projects leave for a new one.
    tables.grantOwnerQuery(fn);
    content.grantObjects(fn, ['GetObject', 'PutObject', 'DeleteObject', 'AbortMultipartUpload']);
    content.grantUsingUploads(fn);
    // What is known of a deleted project's visitors goes with it.
    tables.grantAnalytics(fn, ['Query', 'BatchWriteItem']);
    uploads.grantSending(fn);
    visitors.grantForgetting(fn);
  }
}

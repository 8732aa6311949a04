import type { FunctionName } from '../../lib/functions/function-names.ts';
import { fullSettings, type Json, ofType, type Resource, synthesize } from './synthesize.ts';

/** The service stack with every setting, and its functions. */
export const { service } = await synthesize(fullSettings);
export const functions = ofType(service, 'AWS::Lambda::Function');

/** The resource of a function. */
export function functionNamed(name: FunctionName): Resource {
  const found = functions.filter(
    ({ Properties }) => Properties['Environment'].Variables.POWERTOOLS_SERVICE_NAME === name,
  );
  const [fn] = found;
  if (fn === undefined || found.length > 1) throw new Error(`${found.length} functions ${name}`);
  return fn;
}

/** The logical id of a function's role. */
export function roleId(name: FunctionName): string {
  return functionNamed(name).Properties['Role']['Fn::GetAtt'][0];
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: unknown;
}

export function statementsOf(policy: Resource): Statement[] {
  return policy.Properties.PolicyDocument.Statement;
}

/** Everything that a function's role allows, as `<readable resource> <action>`. */
export function allowedActions(name: FunctionName): string[] {
  return ofType(service, 'AWS::IAM::Policy')
    .filter(({ Properties }) => Properties['Roles'].some(({ Ref }: Json) => Ref === roleId(name)))
    .flatMap(statementsOf)
    .flatMap(({ Action, Resource, Condition }) =>
      [Resource]
        .flat()
        .flatMap((resource) =>
          [Action].flat().map((action) => `${resourceName(resource, Condition)} ${action}`),
        ),
    )
    .toSorted();
}

const resourceNames: [RegExp, string][] = [
  [/^"\*"$/, 'everything'],
  [/TablesSites/, 'sites'],
  [/TablesProjects.*\/index\/byDue/, 'projects by due'],
  [/TablesProjects.*\/index\/byOwner/, 'projects by owner'],
  [/TablesProjects.*\/stream\/\*/, 'projects streams'],
  [/TablesProjects.*StreamArn/, 'projects stream'],
  [/TablesProjects/, 'projects'],
  [/TablesCounters/, 'counters'],
  [/TablesCodes/, 'codes'],
  [/TablesAccounts/, 'accounts'],
  [/TablesAnalytics/, 'analytics'],
  [/TablesOauth/, 'oauth'],
  [/:identity\/\*/, 'identity'],
  [/:configuration-set\//, 'configuration set'],
  [/PlatformTenant/, 'sites tenant'],
  [/:distribution-tenant\/\*/, 'tenants'],
  [/:certificate\/\*/, 'certificates'],
  [/ContentBucket.*"\/content\/\*"/, 'content/*'],
  [/ContentBucket.*"\/temp\/\*"/, 'temp/*'],
  [/ContentBucket/, 'bucket'],
  [/WebAppFiles[0-9A-F]{8}"/, 'web app'],
  [/UploadingQueue/, 'upload queue'],
  [/HitsQueue/, 'hits queue'],
  [/LanesQueue/, 'webhook queue'],
  // The labels tell which values of the secret; without them it is all.
  [/Secrets.*\["api-current","api-previous","api-next"\]/, 'API key'],
  [/Secrets.*\["access-current","access-previous","access-next"\]/, 'access secret'],
  [/Secrets.*\["code-current","code-previous","code-next"\]/, 'code secret'],
  [/Secrets.*\["origin-current","origin-previous","origin-next"\]/, 'origin secret'],
  [/RefSecrets/, 'all secrets'],
  [/DeadLetters/, 'dead letters'],
  [/"\w+Log[0-9A-F]{8}"/, 'own log'],
];

function resourceName(resource: unknown, condition: unknown): string {
  const text = JSON.stringify([resource, labelsIn(condition)])
    .slice(1, -1)
    .replace(/,null$/, '');
  // The log comes first: the name of `api-keys`'s log also matches the secret of that name.
  const [last, rest] = [resourceNames.slice(-1), resourceNames.slice(0, -1)];
  return [...last, ...rest].find(([pattern]) => pattern.test(text))?.[1] ?? text;
}

/** The labels that a condition allows; any other condition on a secret gives no name. */
function labelsIn(condition: unknown): unknown {
  const values = Object(condition)['ForAnyValue:StringEquals'];
  return Object(values)['secretsmanager:VersionStage'];
}

/** What every function may do. */
export const ownLogActions = ['own log logs:CreateLogStream', 'own log logs:PutLogEvents'];

/** What a function may do that is traced. */
export const traceActions = [
  'everything xray:PutTelemetryRecords',
  'everything xray:PutTraceSegments',
];

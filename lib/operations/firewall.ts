import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { oauthPaths } from '../../contract/oauth/oauth.ts';

/**
 * Rules that count but do not block. Rules about bodies would block what people publish: HTML, scripts,
 * large files. Rules about the query would block OAuth clients: a redirect URI of
 * `http://127.0.0.1/` looks like an attack, and `state` may exceed the limit of 2,048 bytes.
 */
const COUNT_ONLY_RULES = [
  'GenericRFI_QUERYARGUMENTS',
  'SizeRestrictions_QUERYSTRING',
  'CrossSiteScripting_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'SizeRestrictions_BODY',
];

/** Requests of one IP address in five minutes. */
const MAX_REQUESTS = 3000;
/** Agent calls of one IP address in five minutes. All users of a hosted agent share its few addresses. */
const MAX_AGENT_CALLS = 60_000;

/** A web ACL for both distributions: limits per IP address, and AWS's common rules. */
export class Firewall extends Construct {
  readonly arn: string;

  /** @param appHost host name of the app, whose MCP endpoint has a limit of its own */
  constructor(scope: Construct, id: string, appHost: string) {
    super(scope, id);
    this.arn = new wafv2.CfnWebACL(this, 'Acl', {
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('Slipway'),
      rules: [
        perAddress('RequestsPerAddress', 0, {
          limit: MAX_REQUESTS,
          scopeDownStatement: { notStatement: { statement: agentCalls(appHost) } },
        }),
        perAddress('AgentCallsPerAddress', 1, {
          limit: MAX_AGENT_CALLS,
          scopeDownStatement: agentCalls(appHost),
        }),
        {
          name: 'CommonRules',
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              ruleActionOverrides: COUNT_ONLY_RULES.map((name) => ({
                name,
                actionToUse: { count: {} },
              })),
            },
          },
          visibilityConfig: visibility('CommonRules'),
        },
      ],
    }).attrArn;
  }
}

function perAddress(
  name: string,
  priority: number,
  rate: { limit: number; scopeDownStatement: wafv2.CfnWebACL.StatementProperty },
): wafv2.CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: { aggregateKeyType: 'IP', ...rate } },
    visibilityConfig: visibility(name),
  };
}

/** Requests that a hosted agent's servers send for all its users. On a site these paths are ordinary pages. */
function agentCalls(appHost: string): wafv2.CfnWebACL.StatementProperty {
  const paths = [oauthPaths.mcp, oauthPaths.token].map((path) =>
    matches({ uriPath: {} }, path, 'STARTS_WITH'),
  );
  const onApp = matches({ singleHeader: { Name: 'host' } }, appHost, 'EXACTLY');
  return { andStatement: { statements: [onApp, { orStatement: { statements: paths } }] } };
}

function matches(
  fieldToMatch: wafv2.CfnWebACL.FieldToMatchProperty,
  searchString: string,
  positionalConstraint: 'EXACTLY' | 'STARTS_WITH',
): wafv2.CfnWebACL.StatementProperty {
  const textTransformations = [{ priority: 0, type: 'LOWERCASE' }];
  return {
    byteMatchStatement: { fieldToMatch, searchString, positionalConstraint, textTransformations },
  };
}

function visibility(metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

import { describe, expect, test } from '@jest/globals';
import {
  fullSettings,
  type Json,
  localSettings,
  named,
  ofType,
  onlyOf,
  type Synthesized,
  synthesize,
} from './synthesize.ts';

const { service } = await synthesize();
const { service: local } = await synthesize(localSettings);
const { service: full } = await synthesize(fullSettings);

const app = (template: Synthesized) =>
  named(template, 'AWS::CloudFront::Distribution', 'AppDistribution').Properties.DistributionConfig;
const visitors = (template: Synthesized) =>
  named(template, 'AWS::CloudFront::Distribution', 'VisitorsDistribution').Properties
    .DistributionConfig;
const policyOf = (reference: { Ref: string }) =>
  service.Resources[reference.Ref]?.Properties.CachePolicyConfig;
const urlOf = (id: string) => named(service, 'AWS::Lambda::Url', `${id}FunctionUrl`).Properties;

describe('app distribution', () => {
  test('hands everything but the host to the API, uncached, with the secret header', () => {
    const config = app(service);
    expect(config.DefaultCacheBehavior).toMatchObject({
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      // The managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    expect(config.HttpVersion).toBe('http2and3');
    expect(config.Origins).toHaveLength(1);
    expect(config.Origins[0]).toMatchObject({
      OriginPath: '/live',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: [{ HeaderName: 'x-slipway-origin' }],
    });
    expect(JSON.stringify(config.Origins[0].OriginCustomHeaders)).toContain(
      '{{resolve:secretsmanager:',
    );
  });

  test('has no alias without a certificate, and says what is missing', () => {
    expect(app(service)).not.toHaveProperty('Aliases');
    expect(service.Outputs.MissingappCertificateArn?.Value).toContain('set appCertificateArn');
  });

  test('has its alias with a certificate, for browsers that name the host, on TLS 1.2 of 2025', () => {
    expect(app(full)).toMatchObject({
      Aliases: ['app.example.org'],
      ViewerCertificate: {
        AcmCertificateArn: fullSettings.appCertificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2025',
        SslSupportMethod: 'sni-only',
      },
    });
    expect(Object.keys(full.Outputs).filter((name) => name.startsWith('Missing'))).toEqual([]);
  });

  test('answers for localhost in the local cloud', () => {
    expect(app(local).Aliases).toEqual(['localhost']);
    expect(Object.keys(local.Outputs).filter((name) => name.startsWith('Missing'))).toEqual([]);
  });
});

describe('visitor distribution', () => {
  test('serves tenants only, and has no setting that CloudFront refuses there', () => {
    const config = visitors(service);
    expect(config.ConnectionMode).toBe('tenant-only');
    for (const name of ['Aliases', 'IPV6Enabled', 'PriceClass']) {
      expect(config).not.toHaveProperty(name);
    }
  });

  test('gives every tenant a certificate, SNI and TLS 1.2 of 2025', () => {
    expect(visitors(full).ViewerCertificate).toEqual({
      AcmCertificateArn: fullSettings.sitesCertificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2025',
      SslSupportMethod: 'sni-only',
    });
  });

  test('is purged by the tags that the gate sends', () => {
    expect(visitors(service).CacheTagConfig).toEqual({ HeaderName: 'x-amz-meta-cache-tag' });
  });

  test('keeps pages by host, access and preview, and by nothing else', () => {
    const behavior = visitors(service).DefaultCacheBehavior;
    expect(policyOf(behavior.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 86_400,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: {
          HeaderBehavior: 'whitelist',
          Headers: [
            'x-slipway-host',
            'x-slipway-path',
            'x-slipway-access',
            'x-slipway-preview',
            'x-slipway-cleared',
            'x-slipway-worker',
          ],
        },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });

  // CloudFront signs the path and the query, and a function URL computes another signature for some.
  test('sends functions their path in a header of the cache key, and no query', () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = visitors(service);
    const functions = new Set(
      Origins.filter((origin: Json) =>
        JSON.stringify(origin.DomainName).includes('FunctionUrl'),
      ).map((origin: Json) => origin.Id),
    );
    expect([...functions].toSorted()).toEqual(['assets', 'gate', 'zip']);
    const all = [DefaultCacheBehavior, ...CacheBehaviors];
    const signed = all.filter((one: Json) => functions.has(one.TargetOriginId));
    expect(signed).toHaveLength(4);
    for (const { CachePolicyId } of signed) {
      const { HeadersConfig, QueryStringsConfig } =
        policyOf(CachePolicyId).ParametersInCacheKeyAndForwardedToOrigin;
      expect(HeadersConfig.Headers).toContain('x-slipway-path');
      expect(QueryStringsConfig).toEqual({ QueryStringBehavior: 'none' });
    }
  });

  test('gives large files only for a link signed with our key', () => {
    const [media] = visitors(service).CacheBehaviors;
    expect(media).toMatchObject({
      PathPattern: '/_slipway/media/*',
      AllowedMethods: ['GET', 'HEAD'],
      TrustedKeyGroups: [{ Ref: expect.stringMatching(/^MediaSigningKeyGroup/) }],
    });
    expect(policyOf(media.CachePolicyId)).toMatchObject({ MinTTL: 0 });
  });

  test('hands forms and cookies to the API, after all else below its path, uncached, with the secret header', () => {
    const { CacheBehaviors, Origins } = visitors(service);
    const [, , , , forms, ...others] = CacheBehaviors;
    expect(others).toEqual([]);
    expect(forms).toMatchObject({
      PathPattern: '/_slipway/*',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      // The managed policies CachingDisabled and AllViewerExceptHostHeader.
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    const origin = Origins.find(({ Id }: Json) => Id === forms.TargetOriginId);
    const [ofApp] = app(service).Origins;
    expect(origin).toMatchObject({
      DomainName: ofApp.DomainName,
      OriginPath: '/live',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
      OriginCustomHeaders: ofApp.OriginCustomHeaders,
    });
  });

  test('keeps what viewer pages load by path and encoding alone', () => {
    const assets = visitors(service).CacheBehaviors.find(
      ({ TargetOriginId }: Json) => TargetOriginId === 'assets',
    );
    expect(assets).toMatchObject({
      PathPattern: '/_slipway/assets/*',
      TargetOriginId: 'assets',
      AllowedMethods: ['GET', 'HEAD'],
      Compress: false,
    });
    expect(assets).not.toHaveProperty('OriginRequestPolicyId');
    expect(policyOf(assets.CachePolicyId)).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 0,
      MaxTTL: 31_536_000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['x-slipway-path'] },
        CookiesConfig: { CookieBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
        EnableAcceptEncodingBrotli: true,
        EnableAcceptEncodingGzip: true,
      },
    });
  });

  test('streams ZIPs, told of their visitors what the gate is told', () => {
    const { DefaultCacheBehavior, CacheBehaviors, Origins } = visitors(service);
    const { TargetOriginId: _, ...decided } = DefaultCacheBehavior;
    expect(CacheBehaviors.slice(1, 3)).toEqual([
      { ...decided, PathPattern: '/_slipway/zip', TargetOriginId: 'zip' },
      { ...decided, PathPattern: '/_slipway/zip/*', TargetOriginId: 'zip' },
    ]);
    const [gate, zip] = ['gate', 'zip'].map((id) => Origins.find(({ Id }: Json) => Id === id));
    expect({ ...zip, DomainName: '' }).toEqual({ ...gate, Id: 'zip', DomainName: '' });
    expect(urlOf('Zip')).toMatchObject({ AuthType: 'AWS_IAM', InvokeMode: 'RESPONSE_STREAM' });
    expect(JSON.stringify(zip.DomainName)).toContain('ZipFunctionUrl');
  });

  test('signs what it asks of functions and of the bucket', () => {
    const { Origins } = visitors(service);
    const signedOrigins = Origins.filter(({ Id }: Json) => !['forms', 'busy'].includes(Id));
    const types = signedOrigins.map((origin: Json) => [
      origin.Id,
      service.Resources[origin.OriginAccessControlId['Fn::GetAtt'][0]]?.Properties
        .OriginAccessControlConfig,
    ]);
    const signed = { SigningBehavior: 'always', SigningProtocol: 'sigv4' };
    expect(Object.fromEntries(types)).toMatchObject({
      assets: { ...signed, OriginAccessControlOriginType: 'lambda' },
      gate: { ...signed, OriginAccessControlOriginType: 'lambda' },
      media: { ...signed, OriginAccessControlOriginType: 's3' },
    });
    expect(Origins[1].OriginPath).toBe('/content');
  });

  test('has a page for busy sites at the API, without the secret header', () => {
    const origin = (id: string) => visitors(service).Origins.find(({ Id }: Json) => Id === id);
    const { OriginCustomHeaders, ...forms } = origin('forms');
    expect(OriginCustomHeaders).toHaveLength(1);
    expect(origin('busy')).toEqual({ ...forms, Id: 'busy', OriginPath: '/live/_busy' });
  });

  test('sees every request of every behaviour first', () => {
    const { DefaultCacheBehavior, CacheBehaviors } = visitors(service);
    for (const behavior of [DefaultCacheBehavior, ...CacheBehaviors]) {
      expect(behavior.FunctionAssociations).toEqual([
        {
          EventType: 'viewer-request',
          FunctionARN: {
            'Fn::GetAtt': [expect.stringMatching(/^VisitorsViewerRequest/), 'FunctionARN'],
          },
        },
      ]);
    }
  });

  test('never uses the managed policy that keeps private answers for a second', () => {
    expect(JSON.stringify(service)).not.toContain('658327ea-f89d-4fab-a63d-7e88639e58f6');
  });

  test.each(['Gate', 'Zip', 'ViewerAssets'])(
    'may call %s, as distribution and as tenant, and nobody else may',
    (id) => {
      expect(ofType(service, 'AWS::Lambda::Url')).toHaveLength(3);
      expect(urlOf(id).AuthType).toBe('AWS_IAM');
      const permissions = ofType(service, 'AWS::Lambda::Permission')
        .map(({ Properties }) => Properties)
        .filter((permission) => JSON.stringify(permission.FunctionName).includes(`"${id}`));
      const seen = permissions.map((permission) =>
        [
          permission.Principal,
          permission.Action,
          /:distribution-tenant\/\*/.test(JSON.stringify(permission.SourceArn))
            ? 'tenants'
            : 'itself',
        ].join(' '),
      );
      expect(seen.toSorted()).toEqual([
        'cloudfront.amazonaws.com lambda:InvokeFunction itself',
        'cloudfront.amazonaws.com lambda:InvokeFunction tenants',
        'cloudfront.amazonaws.com lambda:InvokeFunctionUrl itself',
        'cloudfront.amazonaws.com lambda:InvokeFunctionUrl tenants',
      ]);
    },
  );
});

describe('content bucket', () => {
  const [onlyTls, media, ...others] = onlyOf(service, 'AWS::S3::BucketPolicy').Properties
    .PolicyDocument.Statement;

  test('refuses everything without TLS', () => {
    expect(onlyTls).toMatchObject({
      Effect: 'Deny',
      Action: 's3:*',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    expect(onlyTls.Resource).toHaveLength(2);
  });

  test('lets CloudFront read published files for our distribution and its tenants, nothing else', () => {
    expect(others).toEqual([]);
    expect(media).toMatchObject({
      Effect: 'Allow',
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
    });
    expect(JSON.stringify(media.Resource)).toContain('/content/*');
    expect(JSON.stringify(media.Condition.ArnLike['aws:SourceArn'])).toContain(
      'VisitorsDistribution',
    );
  });
});

describe('platform tenant', () => {
  const type = 'AWS::CloudFront::DistributionTenant';

  test('waits for a certificate, and an output says so', () => {
    expect(ofType(service, type)).toEqual([]);
    expect(service.Outputs.MissingsitesCertificateArn?.Value).toContain('set sitesCertificateArn');
    expect(service.Outputs.SitesAddress).toBeDefined();
  });

  test('serves every name under the sites domain with the given certificate', () => {
    expect(onlyOf(full, type).Properties).toMatchObject({
      Domains: ['*.example.site'],
      Customizations: { Certificate: { Arn: fullSettings.sitesCertificateArn } },
    });
  });

  test('needs no certificate in the local cloud, and has no port in its name', () => {
    const { Properties } = onlyOf(local, type);
    expect(Properties.Domains).toEqual(['*.sites.localhost']);
    expect(Properties).not.toHaveProperty('Customizations');
  });
});

describe('firewall', () => {
  test('is off unless asked for', () => {
    expect(ofType(service, 'AWS::WAFv2::WebACL')).toEqual([]);
    expect(app(service)).not.toHaveProperty('WebACLId');
  });

  test('guards both distributions without reading what people publish', () => {
    const acl = onlyOf(full, 'AWS::WAFv2::WebACL').Properties;
    expect(acl.Scope).toBe('CLOUDFRONT');
    const [rate, , common] = acl.Rules;
    expect(rate.Statement.RateBasedStatement.AggregateKeyType).toBe('IP');
    const group = common.Statement.ManagedRuleGroupStatement;
    expect(group.Name).toBe('AWSManagedRulesCommonRuleSet');
    for (const config of [app(full), visitors(full)]) {
      expect(config.WebACLId).toEqual({
        'Fn::GetAtt': [expect.stringMatching(/^Firewall/), 'Arn'],
      });
    }
  });

  test('counts what hosted agents send for all of their people apart, on the app alone', () => {
    const [all, agents] = onlyOf(full, 'AWS::WAFv2::WebACL').Properties.Rules.map(
      ({ Statement }: Json) => Statement.RateBasedStatement,
    );
    const { Statements } = agents.ScopeDownStatement.AndStatement;
    const [host, { OrStatement: paths }] = Statements;
    expect(host.ByteMatchStatement).toMatchObject({
      FieldToMatch: { SingleHeader: { Name: 'host' } },
      PositionalConstraint: 'EXACTLY',
      SearchString: 'app.example.org',
    });
    expect(
      paths.Statements.map(({ ByteMatchStatement }: Json) => ByteMatchStatement.SearchString),
    ).toEqual(['/mcp', '/oauth/token']);
    expect(all.Limit).toBe(3000);
    expect(agents.Limit).toBe(60_000);
    expect(all.ScopeDownStatement).toEqual({
      NotStatement: { Statement: agents.ScopeDownStatement },
    });
  });

  test.each([
    ['what people publish', 'CrossSiteScripting_BODY'],
    ['files of any size', 'SizeRestrictions_BODY'],
    ['an app that is sent back to an address of this machine', 'GenericRFI_QUERYARGUMENTS'],
    ['an app with a long state', 'SizeRestrictions_QUERYSTRING'],
  ])('does not keep out %s', (_, Name) => {
    const [, , common] = onlyOf(full, 'AWS::WAFv2::WebACL').Properties.Rules;
    expect(common.Statement.ManagedRuleGroupStatement.RuleActionOverrides).toContainEqual({
      Name,
      ActionToUse: { Count: {} },
    });
  });
});

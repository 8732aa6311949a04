import { describe, expect, test } from '@jest/globals';
import { service } from './functions.ts';
import { named, ofType, onlyOf, synthesize, type Synthesized } from './synthesize.ts';

describe('media key', () => {
  /** What the edge trusts and what the gate signs with, by the logical ids of public keys. */
  function keysOf(template: Synthesized) {
    const { Items } = onlyOf(template, 'AWS::CloudFront::KeyGroup').Properties.KeyGroupConfig;
    const { Variables } = named(template, 'AWS::Lambda::Function', 'Gate').Properties.Environment;
    const trusted: string[] = Items.map(({ Ref }: { Ref: string }) => Ref);
    const pems = trusted.map(
      (id) => template.Resources[id]?.Properties.PublicKeyConfig.EncodedKey['Fn::GetAtt'][1],
    );
    const signing: string = Variables.MEDIA_KEY_ID.Ref;
    return { trusted, pems, signing, generation: Variables.MEDIA_KEY_GENERATION };
  }

  const placeOf = (purpose: string) => ({
    'Fn::Join': ['', [{ 'Fn::ImportValue': expect.stringContaining('Secrets') }, `#${purpose}`]],
  });

  test('is created by its function; CloudFront checks with its public half', () => {
    expect(onlyOf(service, 'Custom::MediaKey').Properties).toEqual({
      ServiceToken: { 'Fn::GetAtt': [expect.stringMatching(/^MediaKey/), 'Arn'] },
      SecretArn: placeOf('media'),
      OtherSecrets: [placeOf('access'), placeOf('code'), placeOf('origin')],
      Generation: 1,
      PropagationSeconds: 900,
      ServiceTimeout: '300',
    });
    expect(keysOf(service).pems).toEqual(['PublicKeyPem1', 'PublicKeyPem2']);
  });

  test('during a rotation, the edge trusts the old and the new key', async () => {
    const generations = await Promise.all(
      [1, 2, 3, 4].map(async (mediaKeyGeneration) =>
        keysOf((await synthesize({ mediaKeyGeneration })).service),
      ),
    );
    expect(generations.map(({ generation }) => generation)).toEqual(['1', '2', '3', '4']);
    expect(new Set(generations.map(({ signing }) => signing)).size).toBe(4);
    for (const [at, after] of generations.entries()) {
      const before = generations[Math.max(0, at - 1)] ?? after;
      for (const { trusted } of [before, after]) {
        expect(trusted).toContain(before.signing);
        expect(trusted).toContain(after.signing);
      }
    }
    // The second rotation ends the first key.
    expect(generations[2]?.trusted).not.toContain(generations[0]?.signing);
    expect(generations[2]?.pems).toEqual(['PublicKeyPem2', 'PublicKeyPem3', 'PublicKeyPem4']);
  });

  test('a rotation changes of the distributions only the API key, and not the id of the key group', async () => {
    const { service: one } = await synthesize({ mediaKeyGeneration: 1 });
    const { service: two } = await synthesize({ mediaKeyGeneration: 2 });
    const distributionsOf = (template: typeof one, generation: number) =>
      JSON.stringify(ofType(template, 'AWS::CloudFront::Distribution')).replaceAll(
        `"ApiKey${generation}"`,
        '"the API key"',
      );
    expect(distributionsOf(two, 2)).toBe(distributionsOf(one, 1));
    expect(distributionsOf(one, 1)).toContain('"the API key"');
    const groupId = (template: typeof one) =>
      Object.keys(template.Resources).filter((id) => id.startsWith('MediaSigningKeyGroup'));
    expect(groupId(two)).toEqual(groupId(one));
  });
});

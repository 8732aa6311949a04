import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { listStages, readDeployableStage, readStage } from '../../../../lib/stages/stage-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'slipway-stages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const certificate = (id: string) => `arn:aws:acm:us-east-1:111122223333:certificate/${id}`;
const working = {
  $schema: './stage.schema.json',
  appDomain: 'drop.harbour.dev',
  sitesDomain: 'harbour.site',
  appCertificateArn: certificate('a1'),
  sitesCertificateArn: certificate('b2'),
  mailFrom: 'hello@harbour.dev',
};

function write(name: string, content: unknown): void {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(path.join(folder, `${name}.json`), text);
}

function refusalOf(changes: Record<string, unknown>): string {
  rmSync(path.join(folder, 'prod.json'), { force: true });
  write('trial', { ...working, ...changes });
  try {
    readDeployableStage('trial', folder);
  } catch (error) {
    return String(error);
  }
  return 'accepted';
}

describe('the settings file of a stage', () => {
  test('is read with its defaults, and can be deployed', () => {
    write('prod', working);
    const { name, settings } = readDeployableStage('prod', folder);
    expect(name).toBe('prod');
    expect(settings).toMatchObject({ appDomain: 'drop.harbour.dev', brand: 'Slipway' });
  });

  test('that names a domain of another stage cannot be deployed', () => {
    const shared = mkdtempSync(path.join(tmpdir(), 'slipway-stages-'));
    const save = (name: string, settings: object) =>
      writeFileSync(path.join(shared, `${name}.json`), JSON.stringify(settings));
    save('prod', working);
    save('test', { ...working, appDomain: 'test.harbour.dev', sitesDomain: 'harbour.site' });
    save('unfinished', { appDomain: 7 });
    expect(() => readDeployableStage('test', shared)).toThrow(
      /sitesDomain \S+ is a domain of stages\/prod\.json too/,
    );
    save('test', { ...working, appDomain: 'test.harbour.dev', sitesDomain: 'test.site' });
    expect(readDeployableStage('test', shared).name).toBe('test');
    rmSync(shared, { recursive: true });
  });

  test('that does not exist is named, with the others and with what to copy', () => {
    write('prod', working);
    expect(() => readStage('prd', folder)).toThrow(
      /stages\/prd\.json does not exist\. The stages are .*prod.*example-minimal\.json/,
    );
  });

  test.each(['../prod', 'Prod', 'a-b', '', '1a', 'a'.repeat(17)])(
    '%j is not the name of a stage',
    (name) => {
      expect(() => readStage(name, folder)).toThrow('is not the name of a stage');
    },
  );

  test('that is not an object of JSON is refused with its name', () => {
    write('broken', '{"appDomain": }');
    expect(() => readStage('broken', folder)).toThrow('stages/broken.json is not JSON');
    write('broken', '[]');
    expect(() => readStage('broken', folder)).toThrow('stages/broken.json must be a JSON object');
  });

  test.each([
    [{ appDomian: 'a.dev' }, 'appDomian is not a setting. Did you mean appDomain?'],
    [{ sitesCertificate: 'x' }, 'Did you mean sitesCertificateArn?'],
    [
      { throttles: { brust: 1 } },
      'throttles.brust is not a setting. Did you mean throttles.burst?',
    ],
    [{ plans: { fre: {} } }, 'plans.fre is not a setting. Did you mean plans.free?'],
    [{ plans: { free: { maxProject: 1 } } }, 'Did you mean plans.free.maxProjects?'],
    [{ zzzzzzzz: 1 }, 'zzzzzzzz is not a setting. The settings there are appDomain, '],
    [{ waf: 'yes' }, 'waf: '],
  ])('%j is refused with the nearest name', (changes, sentence) => {
    const refusal = refusalOf(changes);
    expect(refusal).toContain('stages/trial.json cannot be used');
    expect(refusal).toContain(sentence);
  });

  test('lists stages, but neither examples nor the schema', () => {
    write('prod', working);
    write('example-minimal', working);
    write('stage.schema', {});
    expect(listStages(folder)).toEqual(expect.arrayContaining(['prod']));
    expect(listStages(folder).join()).not.toMatch(/example|schema/);
  });
});

describe('a stage is not deployed', () => {
  test.each([
    ['without an app domain', { appDomain: undefined }, 'appDomain is missing or a placeholder'],
    ['with a placeholder', { sitesDomain: 'sites.example.net' }, 'sitesDomain is missing or a'],
    ['with mail from nowhere', { mailFrom: 'a@example.com' }, 'mailFrom is missing or a'],
    ['with alarms to nowhere', { alarmEmail: 'a@mail.example' }, 'alarmEmail is missing or a'],
    [
      'with security reports to nowhere',
      { securityContact: 'a@example.com' },
      'securityContact is',
    ],
    ['with a page of nobody', { upgradeUrl: 'https://www.example.com/plans' }, 'upgradeUrl is'],
    [
      'with the zone of an example',
      { appZone: { id: 'Z00000000000000000001', name: 'harbour.dev' } },
      'appZone.id is a placeholder',
    ],
    ['without a certificate of the app', { appCertificateArn: undefined }, 'appCertificateArn is'],
    [
      'without a certificate of sites',
      { sitesCertificateArn: undefined },
      "--domain-name '*.harbour.site'",
    ],
    [
      'with the certificate of an example',
      { appCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/a1' },
      'appCertificateArn is missing or a placeholder',
    ],
    ['without a way to sign in', { mailFrom: undefined }, 'npm run admin -- sign-in'],
    ['for the local cloud', { appDomain: 'localhost:8787' }, 'appDomain has a port'],
  ])('%s, and the refusal says what to do', (_, changes, sentence) => {
    const refusal = refusalOf(changes);
    expect(refusal).toContain('stages/trial.json cannot be deployed yet');
    expect(refusal).toContain(sentence);
  });

  test('with several problems, all of which are named', () => {
    const refusal = refusalOf({ appDomain: undefined, mailFrom: undefined });
    expect(refusal.match(/^- /gm)).toHaveLength(2);
  });

  test('without mail is possible if the file says so', () => {
    expect(refusalOf({ mailFrom: null })).toBe('accepted');
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { adminHelp } from '../../bin/admin-command.ts';
import { doctorHelp } from '../../bin/doctor/doctor-command.ts';
import { importHelp } from '../../bin/run-import.ts';
import { smokeHelp } from '../../bin/smoke/smoke-command.ts';
import { stageHelp } from '../../bin/stages/run-stage.ts';
import { settingsSchema } from '../../lib/settings.ts';
import { domainTarget } from '../../core/domains/required-records.ts';
import { fullSettings, ofType, onlyOf, synthesize } from './synthesize.ts';

const root = new URL('../../', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), 'utf8');
const deploy = read('docs/deploy.md');
const teardown = read('docs/teardown.md');
const readme = read('README.md');
const { scripts } = JSON.parse(read('package.json'));
const { data, service } = await synthesize(fullSettings);
const outputs = [...Object.keys(data.Outputs), ...Object.keys(service.Outputs)];

/** Everything between the backticks, and the lines of shell blocks. */
const commands = [deploy, teardown].flatMap((text) => [
  ...[...text.matchAll(/`((?:npm|npx|cp) [^`]+)`/g)].map(([, command = '']) => command),
  ...[...text.matchAll(/^ {3}((?:npm|npx|cp) .+)$/gm)].map(([, command = '']) => command),
]);

describe('docs/teardown.md', () => {
  test('says that records of customers stay right: what they lead to is in the stack that stays', () => {
    const type = 'AWS::CloudFront::ConnectionGroup';
    expect(onlyOf(data, type)).toMatchObject({ DeletionPolicy: 'Retain' });
    expect(ofType(service, type)).toEqual([]);
    expect(teardown).toContain('`SitesAddress` is the same as before');
    expect(teardown).toContain('delete-connection-group');
    expect(deploy).toContain(`\`${domainTarget('sitesDomain')}\``);
  });
});

describe('docs/deploy.md', () => {
  test('has at most ten steps, each with a check', () => {
    const steps = (deploy.split('## Later')[0] ?? '').split(/^\d+\. /m).slice(1);
    expect(steps.length).toBeLessThanOrEqual(10);
    expect(steps.filter((step) => !/^ +Check: /m.test(step))).toEqual([]);
  });

  test('names only commands that exist, with options that they have', () => {
    const known: Record<string, string> = {
      admin: adminHelp,
      doctor: doctorHelp,
      smoke: smokeHelp,
      import: importHelp,
      ...Object.fromEntries(
        ['synth', 'deploy', 'diff', 'destroy'].map((name) => [name, stageHelp]),
      ),
    };
    expect(commands.length).toBeGreaterThan(15);
    for (const command of commands) {
      const script = /^npm run ([\w:]+)/.exec(command)?.[1];
      if (script === undefined) continue;
      expect(Object.keys(scripts)).toContain(script);
      for (const [option] of command.matchAll(/--[a-z][a-z-]+/g)) {
        expect({ command, help: known[script] }).toEqual({
          command,
          help: expect.stringContaining(option),
        });
      }
      const verb = /^npm run admin -- ([a-z][a-z-]*)/.exec(command)?.[1];
      if (verb !== undefined) expect(adminHelp).toContain(`npm run admin -- ${verb} `);
    }
  });

  test('names only outputs that a deployment prints', () => {
    const named = [deploy, teardown, readme].flatMap((text) =>
      [...text.matchAll(/`((?:App|Sites|Mail|Distributions)[A-Z]\w+)`/g)].map(([, name]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(['AppUrl', 'AppAddress', 'SitesAddress']));
    for (const name of named) {
      expect(outputs.filter((output) => output.startsWith(name ?? ' '))).not.toEqual([]);
    }
  });

  test('copies files that exist, and names settings that exist', () => {
    const copied = [...`${deploy}${readme}`.matchAll(/stages\/example-[a-z]+\.json/g)];
    expect(copied.length).toBeGreaterThan(1);
    expect(copied.filter(([file]) => !existsSync(new URL(file, root)))).toEqual([]);
    const settings = Object.keys(settingsSchema().properties ?? {});
    expect(settings).toEqual(
      expect.arrayContaining(['appDomain', 'sitesDomain', 'mailFrom', 'alarmEmail']),
    );
  });

  test('is what the README leads to', () => {
    expect(readme).toContain('(docs/deploy.md)');
    expect(readme).toContain('npx cdk deploy --all -c stage=prod');
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { updateProjectSettings } from '../../contract/operations/project-settings.ts';
import { settingNames } from '../../contract/project-settings.ts';

const folder = 'web/app/views/project';
const controls = readdirSync(folder)
  .filter((name) => name.endsWith('-fields.tsx'))
  .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
  .join('\n');

/** The name of a field in the form, where it has another one. */
const inForm: Record<string, string> = {
  status: 'isPublished',
  expiresIn: 'end',
  expiresAt: 'end',
};
const fields = Object.keys(updateProjectSettings.input.shape).filter(
  (name) => name !== 'projectId',
);

test('the settings of the contract are all fields of the operation', () => {
  expect(fields).toEqual(expect.arrayContaining(settingNames));
});

test.each(fields)('the web app has a control for the setting %s', (name) => {
  expect(controls).toMatch(new RegExp(`\\bset\\(\\{ ${inForm[name] ?? name}\\b`));
});

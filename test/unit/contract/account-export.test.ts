import { expect, test } from '@jest/globals';
import { AccountExport } from '../../../contract/account-export.ts';
import { defaultSettings, settingNames } from '../../../contract/project-settings.ts';
import { anArchive } from '../../fixtures/archives/an-archive.ts';

test.each(settingNames)('an export that is older than the setting %s gets its default', (name) => {
  const archive = JSON.parse(JSON.stringify(anArchive()));
  for (const project of archive.projects) delete project[name];
  const read = AccountExport.parse(archive);
  expect(read.projects.map((project) => project[name])).toEqual(
    archive.projects.map(() => defaultSettings[name]),
  );
});

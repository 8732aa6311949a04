import { expect, test } from '@jest/globals';
import {
  defaultSettings,
  ProjectSettings,
  settingNames,
} from '../../../contract/project-settings.ts';

test('settings of a project have a default each', () => {
  expect(Object.keys(defaultSettings).toSorted()).toEqual(settingNames.toSorted());
  expect(ProjectSettings.parse(defaultSettings)).toEqual(defaultSettings);
});

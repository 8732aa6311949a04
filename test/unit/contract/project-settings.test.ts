import { describe, expect, test } from '@jest/globals';
import {
  defaultSettings,
  ProjectSettings,
  settingNames,
} from '../../../contract/project-settings.ts';

describe('settings of a project', () => {
  test('have a default each, which rows may leave out', () => {
    expect(Object.keys(defaultSettings).toSorted()).toEqual(settingNames.toSorted());
    expect(ProjectSettings.parse(defaultSettings)).toEqual(defaultSettings);
  });

  test.each(settingNames)('%s: where null is allowed it is the default', (name) => {
    // Rows leave nulls out: another default would come back in place of a null that was stored.
    const allowsNull = ProjectSettings.shape[name].safeParse(null).success;
    expect(defaultSettings[name] === null).toBe(allowsNull);
  });
});
